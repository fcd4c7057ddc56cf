"""Django's PostgreSQL, with a connection that is looked at before it is used again, and not asked."""
