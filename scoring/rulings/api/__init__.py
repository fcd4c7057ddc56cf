"""API views for disputes, guided rulings, law books and what-if."""
