"""Random records of Ransom Trump."""

from functools import partial

from tests.games.decktet_tricks.random_records import HONEST
from tests.games.decktet_tricks.random_records import random_record as record_of

random_record = partial(record_of, game="ransom-trump")
honest_record = partial(record_of, game="ransom-trump", mischief=HONEST)
