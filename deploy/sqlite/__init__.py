"""Django's SQLite, with files that are nobody's but their owner's."""
