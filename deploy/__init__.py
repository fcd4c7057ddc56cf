"""What runs the product: settings, URLs, the server. Nothing imports this package."""
