"""Browser tests. They are a package because package-scoped fixtures end with a package, but never with a plain
directory.
"""
