"""Tables: their log, links, pages, API and streams."""
