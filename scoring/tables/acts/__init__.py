"""Writing: one function per act, each in one transaction, each of them all or nothing."""
