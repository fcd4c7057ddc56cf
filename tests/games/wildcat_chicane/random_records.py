"""Random records of Wildcat Chicane."""

from functools import partial

from tests.games.decktet_tricks.random_records import HONEST
from tests.games.decktet_tricks.random_records import random_record as record_of

random_record = partial(record_of, game="wildcat-chicane")
honest_record = partial(record_of, game="wildcat-chicane", mischief=HONEST)
