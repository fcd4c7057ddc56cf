"""Numbers as people read them: a minus is a minus, not a hyphen; and as an address or a form has them."""

from fractions import Fraction

MINUS = "−"


def number(value: int) -> str:
    """Return a number with its sign if it is below nothing.

    >>> number(-5)
    '−5'
    """
    return f"{value:d}".replace("-", MINUS)


def whole(text: str) -> int | None:
    """Return the whole number that a text is, of nine digits at most; ``None`` where it is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def signed(value: int) -> str:
    """Return a number that is added to others, always with its sign.

    >>> signed(5)
    '+5'
    """
    return f"{value:+d}".replace("-", MINUS)


def part_of_wins(wins: Fraction) -> str:
    """Return wins as people write them; a part of a shared one with one digit.

    >>> part_of_wins(Fraction(3)), part_of_wins(Fraction(5, 2))
    ('3', '2.5')
    """
    return str(wins.numerator) if wins.denominator == 1 else f"{float(wins):.1f}"
