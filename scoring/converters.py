"""Numbers in addresses: ``<number:seq>``."""

from django.urls.converters import IntConverter

from referee.engine.reader import LARGEST_EXACT


class NumberConverter(IntConverter):
    """A whole number that JSON holds exactly; no address leads to what a larger one would name."""

    def to_python(self, value: str) -> int:
        number = int(value)
        if number > LARGEST_EXACT:
            raise ValueError(value)
        return number
