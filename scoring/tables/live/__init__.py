"""Server-sent events: telling open pages that their table has changed."""
