"""Operating: rate limits, backup, site-wide pages."""
