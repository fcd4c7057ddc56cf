"""Pages of disputes, guided rulings, law books and what-if."""
