"""Presenters: from a standing, or a part of it, to what a template needs."""
