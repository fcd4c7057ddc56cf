"""What a device brings along: its rights, its tables, its players, how it records."""
