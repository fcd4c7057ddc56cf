"""Operation of an installation: rate limits, backups, operators' acts, site-wide pages."""
