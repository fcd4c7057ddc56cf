"""Codes of tables: short, readable aloud, and not to be guessed."""

import secrets

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Digits and letters without 0 and O, 1, I and L."""
LENGTH = 8
"""31 to the 8th: some 850,000,000,000 codes."""


def new_code() -> str:
    """Make a code up."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def normal_code(text: str) -> str:
    """Return a code the way it is stored, however it was typed.

    >>> normal_code("k7pq-m2xw ")
    'K7PQM2XW'
    """
    return "".join(letter for letter in text.upper() if letter in ALPHABET)


def spoken_code(code: str) -> str:
    """Return a code in two halves, for reading it out.

    >>> spoken_code("K7PQM2XW")
    'K7PQ-M2XW'
    """
    return f"{code[:4]}-{code[4:]}"
