"""Everything of an installation in one file, taken while it runs, and put back on either database.

A backup is a database of SQLite, whatever the installation runs on: one file, that any tool opens.
"""
