"""Numbers as people read them: a minus is a minus, not a hyphen."""

MINUS = "−"


def number(value: int) -> str:
    """Return a number with its sign if it is below nothing.

    >>> number(-5)
    '−5'
    """
    return f"{value:d}".replace("-", MINUS)


def signed(value: int) -> str:
    """Return a number that is added to others, always with its sign.

    >>> signed(5)
    '+5'
    """
    return f"{value:+d}".replace("-", MINUS)
