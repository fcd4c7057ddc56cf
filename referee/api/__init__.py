"""The stateless API, the only part of the referee that knows Django."""
