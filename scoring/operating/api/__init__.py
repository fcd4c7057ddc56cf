"""Rate limits of the API."""
