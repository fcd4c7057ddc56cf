"""Server-sent events: change notifications to open pages and API clients."""
