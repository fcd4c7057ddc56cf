"""The stateless endpoints: the only part of the referee that knows Django."""
