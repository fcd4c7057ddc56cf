"""Going through the pieces of a line: players, cards, numbers, and what is wrong with them."""

import unicodedata
from typing import Any

from referee.engine.translation import Phrase, phrase
from referee.notation import words
from referee.notation.words import Mistake, Names, Token

LONGEST_NUMBER = 12


class Cursor:
    """Goes through the pieces of a line."""

    def __init__(self, tokens: list[Token], names: Names | None, end: int) -> None:
        self.tokens = tokens
        self.names = names
        self.index = 0
        self.end = end

    @property
    def column(self) -> int:
        """Return the column of the next piece, from 1; after the last one, that of the end of the line."""
        return self.tokens[self.index].column if self.index < len(self.tokens) else self.end

    def done(self) -> bool:
        """Return whether no piece of the line is left."""
        return self.index >= len(self.tokens)

    def wrong(self, detail: Phrase | str) -> Mistake:
        """Return the mistake of the next piece, saying what stands there."""
        expected = detail if isinstance(detail, Phrase) else phrase(detail)
        if self.done():
            return Mistake(self.column, phrase("{detail} The line ends here.", detail=expected))
        found = self.tokens[self.index]
        shown = found.value if found.kind in ("word", "mark") else words.value(found.value)
        return Mistake(
            found.column, phrase("{detail} “{text}” stands here.", detail=expected, text=words.escape(shown[:40]))
        )

    def next_is(self, kind: str, *values: str) -> bool:
        """Return whether the next piece is of this kind (and one of these values)."""
        if self.done():
            return False
        token = self.tokens[self.index]
        return token.kind == kind and (not values or token.value.casefold() in values)

    def word_at(self, offset: int, *values: str) -> bool:
        """Return whether the piece so many places further on is one of these words."""
        place = self.index + offset
        return (
            place < len(self.tokens)
            and self.tokens[place].kind == "word"
            and (self.tokens[place].value.casefold() in values)
        )

    def take(self, kind: str, *values: str) -> bool:
        """Go past the next piece when it is what was asked for."""
        found = self.next_is(kind, *values)
        self.index += found
        return found

    def pull(self) -> Any:
        """Return the next piece’s value and go past it."""
        self.index += 1
        return self.tokens[self.index - 1].value

    def text(self, what: str) -> str:
        """Read a bare word or a quoted text."""
        if self.next_is("word") or self.next_is("text"):
            return str(self.pull())
        raise self.wrong(phrase("{what} is expected.", what=phrase(what)))

    def number(self) -> int:
        """Read a whole number."""
        if self.next_is("word"):
            number = whole(self.tokens[self.index].value)
            if number is not None:
                self.index += 1
                return number
        raise self.wrong("A whole number is expected.")

    def seat(self) -> int:
        """Read a player: a name, or ``@`` and the number of the seat."""
        if self.names is None:
            raise Mistake(self.column, "Name the players before this line: “Seats: Ann, Bob”.")
        quoted = self.next_is("text")
        if not quoted and not self.next_is("word"):
            raise self.wrong("A player is expected.")
        name = str(self.tokens[self.index].value)
        name = name if quoted else name.removesuffix(":").removesuffix("：")
        number = whole(name[1:]) if name[:1] in ("@", "＠") and not quoted else None
        seat = self.names.find(name) if number is None else number
        if seat is None:
            those = ", ".join(map(self.names.write, range(len(self.names.names))))
            raise self.wrong(phrase("A player is expected: {names}, or “@” and a seat’s number.", names=those))
        self.index += 1
        return seat

    def cards(self) -> list[str]:
        """Read cards up to the end of the item; ``-`` says that there are none."""
        if self.take("word", words.NO_CARDS):
            return []
        found = []
        while self.next_is("word") or self.next_is("text"):
            found.append(str(self.pull()))
        if not found:
            raise self.wrong("A card is expected, such as 8MS or 10H (“-” for none).")
        return found

    def suffix(self) -> dict[str, object]:
        """Read what any event may carry: ``!`` and ``x_`` keys."""
        data: dict[str, object] = {"accepted": True} if self.take("mark", "!") else {}
        if self.next_is("object"):
            column = self.column
            extra = self.pull()
            if not all(key.startswith("x_") for key in extra):
                raise Mistake(column, "The keys of this object have to start with x_.")
            data |= extra
        return data


def whole(text: str) -> int | None:
    """Read a whole number of sensible length."""
    text = unicodedata.normalize("NFKC", text)
    digits = text[1:] if text[:1] in ("-", "+", "−") else text
    if not (digits.isascii() and digits.isdigit() and len(digits) <= LONGEST_NUMBER):
        return None
    return -int(digits) if text[0] in "-−" else int(digits)
