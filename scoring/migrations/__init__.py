"""How the database came to be, step by step."""

RELEASED = "0023_sheets_with_facts"
"""The last step of the latest release: its code goes on working while, and after, later steps are taken."""
