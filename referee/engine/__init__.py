"""What every game shares: events, rules, hands, tables, rulings, claims, remedies and records."""
