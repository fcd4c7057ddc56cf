"""What a program in German is asked, and offered when something went wrong, is German throughout."""

import pytest

from referee.engine.catalogue import all_games
from scoring.models import Table
from tests.scoring.conftest import holder, open_table

pytestmark = pytest.mark.django_db
SAME = {*"ABCDEFGH", "Drop a Deuce", "Text"}
"""What is the same in both languages: names, and a word."""
KEYS = ("label", "says", "none", "title", "text", "question", "detail")


def texts(value):
    """Yield every text for people in an answer."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in KEYS and isinstance(inner, str):
                yield inner
            elif key != "events":
                yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


def in_both(client, path, body=None):
    answers = []
    for language in ("en", "de"):
        headers = {"Accept-Language": language}
        answer = client.get(path, headers=headers) if body is None else client.post(path, body, headers=headers)
        assert answer.status_code == 200, answer.content
        assert answer["Content-Language"] == language
        answers.append(list(texts(answer.json())))
    english, german = answers
    assert len(english) == len(german)
    return [one for one, other in zip(english, german, strict=True) if one == other and one and one not in SAME]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_every_ask_is_german(game):
    table = open_table(game=game.id, seats=list("ABCDEFGH")[: game.players[0]], first_dealer=0)
    ann, path, same = holder(table.token), f"/api/v1/tables/{table.code}/", set()
    for _ in range(40):
        same |= set(in_both(ann, f"{path}asks/"))
        asked = ann.get(f"{path}asks/").json()["asks"]
        event = next((ask["events"][0] for ask in asked if ask["events"]), None)
        if event is None or ann.post(f"{path}events/", event | {"sealed": False}).status_code != 201:
            break
    assert not same
    assert Table.objects.get().version > 3


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_every_guide_is_german(client, game):
    table = open_table(game=game.id, seats=list("ABCDEFGH")[: game.players[0]], first_dealer=0)
    path = f"/api/v1/tables/{table.code}/"
    same = [*in_both(client, f"/api/v1/referee/guides/?game={game.id}"), *in_both(client, f"{path}guides/")]
    for guide in (each["situation"] for each in client.get(f"{path}guides/").json()):
        same += in_both(client, f"{path}guide/?situation={guide}")
    assert not same
