"""The stateless API, the only part of the referee that depends on Django."""
