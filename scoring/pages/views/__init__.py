"""What answers a browser: one file for each page or act."""
