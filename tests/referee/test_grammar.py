"""How words are joined when filled into sentences: each language's prepositions, articles and elisions."""

import pytest

from referee.engine.grammar import filled, plural
from referee.engine.texts import OR, Language, Listing, Phrase, noun, phrase

JOINED = {
    "fr": [
        ("La valeur de {x}", "le Diplomate", "La valeur du Diplomate"),
        ("De {x}", "le Diplomate", "Du Diplomate"),
        ("la force de {x}", "les Vagues", "la force des Vagues"),
        ("à {x}", "le Diplomate", "au Diplomate"),
        ("à {x}", "les Vagues", "aux Vagues"),
        ("la valeur de {x}", "la Mer", "la valeur de la Mer"),
        ("la valeur de {x}", "l’as de cœur", "la valeur de l’as de cœur"),
        ("paire de {x}", "as", "paire d’as"),
        ("paire de {x}", "10", "paire de 10"),
        ("Tour de {x}", "Anna", "Tour d’Anna"),
        ("Tour de {x}", "Émile", "Tour d’Émile"),
        ("Tour de {x}", "Hélène", "Tour d’Hélène"),
        ("Tour de {x}", "Hans", "Tour de Hans"),
        ("Tour de {x}", "Yves", "Tour d’Yves"),
        ("Tour de {x}", "Yann", "Tour de Yann"),
        ("Tour de {x}", "Le Roy", "Tour de Le Roy"),
        ("Tour de {x}", "Ben", "Tour de Ben"),
        ("pas de {x}", "huit", "pas de huit"),
        ("pas de {x}", "onze", "pas de onze"),
        ("pour que {x} joue", "Anna", "pour qu’Anna joue"),
        ("puisque {x} joue", "Eva", "puisqu’Eva joue"),
        ("le {x}", "as", "l’as"),
        ("si {x} gagne", "il", "s’il gagne"),
        ("si {x} gagne", "Ines", "si Ines gagne"),
        ("Jean-Paul {x}", "Anna", "Jean-Paul Anna"),
        ("code {x}", "abc", "code abc"),
        ("de {x}", "", "de "),
    ],
    "es": [
        ("el valor de {x}", "el Diplomático", "el valor del Diplomático"),
        ("a {x}", "el Diplomático", "al Diplomático"),
        ("A {x}", "el Diplomático", "Al Diplomático"),
        ("a {x}", "El Greco", "a El Greco"),
        ("de {x}", "la sota", "de la sota"),
        ("de {x}", "los ases", "de los ases"),
        ("de {x}", "ella", "de ella"),
        ("Ana y {x}", "Inés", "Ana e Inés"),
        ("Ana y {x}", "Hielo", "Ana y Hielo"),
        ("Ana y {x}", "Ben", "Ana y Ben"),
        ("7 o {x}", "8", "7 u 8"),
        ("Ana o {x}", "Óscar", "Ana u Óscar"),
    ],
    "it": [
        ("il valore di {x}", "il Diplomatico", "il valore del Diplomatico"),
        ("di {x}", "lo Specchio", "dello Specchio"),
        ("di {x}", "l’asso", "dell’asso"),
        ("su {x}", "l’asso", "sull’asso"),
        ("a {x}", "la regina", "alla regina"),
        ("da {x}", "i re", "dai re"),
        ("in {x}", "gli assi", "negli assi"),
        ("In {x}", "le Onde", "Nelle Onde"),
        ("con {x}", "il re", "con il re"),
        ("di {x}", "Lo Bianco", "di Lo Bianco"),
        ("di {x}", "Ilaria", "di Ilaria"),
    ],
    "de": [("von {x}", "der Diplomat", "von der Diplomat")],
    "nl": [("van {x}", "de Diplomaat", "van de Diplomaat")],
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "template", "said", "joined"), [(code, *case) for code, cases in JOINED.items() for case in cases]
)
def test_words_are_joined_by_the_grammar_of_the_language(language, template, said, joined):
    assert filled(language, template, {"x": said}) == joined


class French(Language):
    """French, as far as these tests need it."""

    code = "fr"
    TEXTS = {
        "the pair of {ranks} beats {card:object}": "la paire de {ranks} bat celle de {card:object}",
        "aces": "as",
        "the Diplomat": "le Diplomate",
        "{count:card|cards} left": "{count:carte|cartes} en main",
    }

    def translate(self, text: str, context: str = "") -> str:
        return self.TEXTS.get(text, text)


def test_nested_phrases_are_joined_too():
    said = French().fill(
        "the pair of {ranks} beats {card:object}", {"ranks": Phrase("aces"), "card": phrase("the Diplomat")}
    )
    assert said == "la paire d’as bat celle du Diplomate"
    assert Listing(("Anna", "Eva"), last="{first} et {last}").rendered(French()) == "Anna et Eva"


@pytest.mark.parametrize(("number", "said"), [(0, "0 carte"), (1, "1 carte"), (-1, "−1 carte"), (2, "2 cartes")])
def test_french_uses_the_singular_for_zero(number, said):
    assert French().fill("{count:card|cards} left", {"count": number}) == f"{said} en main"
    assert [plural(code, "0") for code in ("en", "de", "es", "it", "nl")] == [1] * 5


SUIT = {
    "fr": ("{x} fournit {suits}.", "Ben fournit carreau ou pique."),
    "es": ("{x} asiste a {suits}.", "Ben asiste a carreau o pique."),
    "it": ("{x} risponde a {suits}.", "Ben risponde a carreau o pique."),
    "nl": ("{x} bekent {suits}.", "Ben bekent carreau of pique."),
    "de": ("{x} bedient {suits}.", "Ben bedient Carreau oder Pique."),
}
BETWEEN = {"fr": "ou", "es": "o", "it": "o", "nl": "of", "de": "oder"}


@pytest.mark.parametrize("tongue", SUIT)
def test_names_of_suits_are_small_inside_sentences_and_keep_their_capital_at_the_start(tongue):
    class Spoken(Language):
        code = tongue

        def translate(self, text, context=""):
            return f"{{first}} {BETWEEN[tongue]} {{last}}" if text == OR else text

    suits = Listing((noun("Carreau"), noun("Pique")), last=OR)
    text, said = SUIT[tongue]
    assert Spoken().fill(text, {"x": "Ben", "suits": suits}) == said
    begins = Spoken().fill("{suits}: 3. {suits}.", {"suits": suits})
    assert begins.startswith("Carreau ")
    assert ". Carreau " in begins
    assert Spoken().render(noun("Pique")) == "Pique"
    nested = phrase("x {suit}", suit=noun("Pique"))
    assert Spoken().render(nested) == ("x Pique" if tongue == "de" else "x pique")


@pytest.mark.parametrize(
    ("suits", "said"),
    [(("Diamonds", "Spades"), "diamonds or spades"), (("Moons", "Suns"), "Moons or Suns"), (("Spades",), "spades")],
)
def test_english_writes_suits_of_french_cards_small_and_those_of_the_decktet_with_a_capital(suits, said):
    listed = Listing(tuple(noun(suit) for suit in suits), last=OR)
    assert (
        str(phrase("Ben follows {suits}. {suits}!", suits=listed))
        == f"Ben follows {said}. {suits[0]}{said[len(suits[0]) :]}!"
    )
