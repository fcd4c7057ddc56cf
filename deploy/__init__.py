"""Deployment: settings, URLs and server. No other package imports this one."""
