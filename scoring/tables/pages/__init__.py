"""The pages of a table, rendered on the server."""
