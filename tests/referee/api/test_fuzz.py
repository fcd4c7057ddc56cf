"""Whatever a client sends, the answer is as the schema says: an adjudication or a problem, never a 500."""

import json
from copy import deepcopy

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.config import SchemathesisConfig

from referee.api.questions import QUESTIONS
from referee.api.schema import EXAMPLES
from referee.engine.game import all_games
from referee.engine.records import dump_record, load_record
from referee.notation import write_cells, write_text
from tests.games.discovery import CASES
from tests.operations import one_by_one
from tests.referee.api.conftest import Api, problem

pytestmark = pytest.mark.slow

API = Api()
PATHS = [
    "referee/judge/",
    "referee/what-if/",
    "referee/audit/",
    "referee/guide/",
    *(f"referee/{question.name}/" for question in QUESTIONS),
]
WORDS = st.sampled_from(
    ["", "?", "E", "8MS", "KD", "9S*", "10S", "PMYK", "the Huntress", "M", "W", "S", "🂡", "ﬀ", "İ", "‮", "\x7f", "{0}"]
    + ["{seat.__class__}", "%s", "\N{COMBINING ACUTE ACCENT}" * 70, "x" * 3000, "null", "0", "-1", "1e9", "__proto__"]
)
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 60),
    st.sampled_from([10**9, 10**9 + 1, -(10**18), 2**63, 10**400]),
    st.floats(allow_nan=False, allow_infinity=False),
    WORDS,
    st.text(max_size=8).filter(lambda text: "\0" not in text),
)
KEYS = st.one_of(
    st.sampled_from(
        ["game", "options", "seats", "hands", "events", "known", "type", "cards", "seat", "accepted", "x_a"]
    ),
    st.text(max_size=4),
)
VALUES = st.recursive(ODD, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4))
FUZZ = settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def places(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def changed(draw, body):
    """Return the body with something removed, replaced, repeated or added in a few places."""
    body = deepcopy(body)
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from([p for p in places(body) if p]))
        holder = body
        for key in path[:-1]:
            holder = holder[key]
        change = draw(st.sampled_from(["replace", "replace", "remove", "repeat", "add"]))
        if change == "remove":
            del holder[path[-1]]
            if not body:
                return body
        elif change == "repeat" and isinstance(holder, list):
            holder.insert(path[-1], deepcopy(holder[path[-1]]))
        elif change == "add" and isinstance(holder, dict):
            holder[draw(KEYS)] = draw(VALUES)
        else:
            holder[path[-1]] = draw(VALUES)
    return body


@st.composite
def changed_questions(draw):
    case = draw(st.sampled_from(CASES))
    return case["ask"], changed(draw, case["body"])


EVENTS = [
    {"type": "play", "seat": 0, "cards": ["8MS"], "suit": "M"},
    {"type": "bid", "seat": 1, "tricks": 2},
    {"type": "ransom", "seat": 0, "cards": ["9MS"]},
    {"type": "trump", "seat": 0, "suit": "M"},
    {"type": "ruling-card", "seat": 0, "cards": ["XM"]},
    {"type": "suit", "seat": 0, "suit": "S"},
    {"type": "drop-deuce", "king": 1, "constipated": False, "given": "2S", "returned": "?"},
    {"type": "pass", "seat": 1},
    {"type": "trick", "winner": 0, "trump": None, "last": "AM", "points": {"0": 10}},
    {"type": "result", "tricks": [9, 0, 0], "cards_left": [0, 1, 2], "points": [70, 0], "last": "XM"},
    {"type": "note", "text": "Tea.", "seat": 0},
    {"type": "penalty", "seat": 0, "points": -5, "reason": "Late."},
    {"type": "transfer", "from_seat": 0, "to_seat": 1, "tricks": 1},
    {"type": "redeal"},
    {"type": "end"},
]


@st.composite
def changed_records(draw):
    """A record of any game with any events, and an error in it."""
    game = draw(st.sampled_from(all_games()))
    seats = list("ABCDEFGH")[: draw(st.sampled_from(game.players))]
    cards = [card.code for card in game.rules({}, len(seats)).pack.cards]
    hands = []
    for _ in range(draw(st.integers(0, 3))):
        events = deepcopy(draw(st.lists(st.sampled_from(EVENTS), max_size=8)))
        for event in events:
            event["accepted"] = draw(st.booleans())
            if "cards" in event:
                event["cards"] = draw(st.lists(st.sampled_from(cards), max_size=3))
        hands.append({"events": events})
    record = {"game": game.id, "options": {}, "seats": seats, "first_dealer": 0, "hands": hands}
    for option in draw(st.lists(st.sampled_from(game.all_options()), max_size=3)):
        record["options"][option.key] = draw(st.sampled_from([*option.values, option.standard]))
    return changed(draw, record) if draw(st.booleans()) else record


def post(path, body):
    response = API.post(path, body if isinstance(body, str | bytes) else json.dumps(body))
    if response.status_code != 200:
        problem(response)
    return response


@FUZZ
@given(changed_records())
def test_fuzzed_records_are_answered(record):
    post("referee/judge/", record)


@FUZZ
@given(changed_questions())
def test_fuzzed_questions_are_answered(asked):
    post(*asked)


@FUZZ
@given(st.sampled_from(PATHS), VALUES)
def test_arbitrary_json_is_answered(path, value):
    post(path, value)


@FUZZ
@given(st.sampled_from(PATHS), st.binary(max_size=60))
def test_arbitrary_bytes_are_answered(path, body):
    problem(API.post(path, body))


@FUZZ
@given(st.data(), st.sampled_from(sorted(EXAMPLES)))
def test_corrupted_json_is_answered(data, name):
    body = bytearray(json.dumps(EXAMPLES[name][0].request).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    post(f"referee/{name}/", bytes(body))


BASE = EXAMPLES["judge"][0].request


@pytest.mark.parametrize(
    "body",
    [
        BASE | {"hands": [{"events": [{"type": "pass", "seat": 0}] * 100_000}]},
        BASE | {"hands": [{"events": [{"type": "note", "text": ""}] * 20_000}]},
        BASE | {"hands": [{"events": [{"type": "redeal"}]}] * 20_000},
        BASE | {"hands": [{}] * 300_000},
        BASE | {"hands": [1] * 500_000},
        BASE | {"seats": ["A"] * 100_000},
        BASE | {"seats": ["A" * 1_000_000]},
        BASE | {"options": {str(i): i for i in range(100_000)}},
        BASE | {"hands": [{"known": {str(i): [] for i in range(100_000)}}]},
        BASE | {"hands": [{"known": {"0": ["8MS"] * 200_000}}]},
        BASE | {"hands": [{"events": [{"type": "play", "seat": 0, "cards": ["8MS"] * 200_000}]}]},
        BASE | {"hands": [{"events": [{"type": "play", "seat": 10**400, "cards": []}]}]},
        BASE | {"carried": [0] * 500_000},
        BASE | {f"k{i}": 0 for i in range(100_000)},
        BASE | {"game": "ace-trump" * 100_000},
    ],
    ids=range(15),
)
def test_endless_lists_are_bounded(body):
    post("referee/judge/", json.dumps(body, separators=(",", ":")))


@pytest.mark.parametrize("name", [question.name for question in QUESTIONS])
def test_endless_lists_in_questions_are_bounded(name):
    for key, value in EXAMPLES[name][0].request.items():
        if isinstance(value, list):
            post(f"referee/{name}/", EXAMPLES[name][0].request | {key: value * 30_000})


# --- Requests generated from the schema are answered as it promises

# 304: `If-None-Match: *`, or a matching tag; 422: well-formed but impossible, such as an unknown game
ACCEPTED = ["2xx", "304", "404", "422"]
BY_GAME = "^/api/v1/referee/score/$"  # which keys are needed depends on the game; without them it is malformed

CONFIG = SchemathesisConfig.from_dict(
    {
        "checks": {"positive_data_acceptance": {"expected-statuses": ACCEPTED}},
        "operations": [
            {
                "include-path-regex": BY_GAME,
                "checks": {"positive_data_acceptance": {"expected-statuses": [*ACCEPTED, "400"]}},
            }
        ],
        # JSON Schema has no way to say that a text holds no NUL
        "generation": {"allow-x00": False},
    }
)
PLAIN = {"Accept-Encoding": "identity"}
"""In the API's own process, this test client does not read compressed answers."""
BROUGHT = {"text/plain": write_text(load_record(BASE)), "text/csv": write_cells(dump_record(load_record(BASE)))}
SCHEMA = schemathesis.openapi.from_wsgi("/api/v1/schema/", get_wsgi_application(), config=CONFIG).exclude(
    path_regex="^/api/v1/(tables|groups|me)/"
)


@pytest.mark.django_db  # a request closes a connection other tests left open
@one_by_one(SCHEMA)
@settings(
    max_examples=20,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
def test_the_api_keeps_to_its_schema(case):
    if case.media_type in BROUGHT:  # what is a record in them, no schema can say
        case.body = BROUGHT[case.media_type]
    case.call_and_validate(headers=PLAIN)
