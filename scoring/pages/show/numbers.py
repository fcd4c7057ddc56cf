"""Numbers as people read them: a minus is a minus, not a hyphen; and as an address or a form has them."""

from fractions import Fraction

from django.utils.formats import get_format

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
    """Return wins as people write them; shared ones with two digits at most.

    >>> part_of_wins(Fraction(3)), part_of_wins(Fraction(5, 2)), part_of_wins(Fraction(5, 4))
    ('3', '2.5', '1.25')
    """
    hundredths = round(wins * 100)
    return decimal(hundredths / 100, 0 if hundredths % 100 == 0 else 1 if hundredths % 10 == 0 else 2)


def decimal(value: float, digits: int) -> str:
    """Return a number with so many digits behind the point, or the comma where people write one.

    >>> decimal(-2.5, 1), decimal(-0.01, 1)
    ('−2.5', '0.0')
    """
    text = f"{round(value, digits) + 0:.{digits}f}"
    return text.replace("-", MINUS).replace(".", str(get_format("DECIMAL_SEPARATOR")))
