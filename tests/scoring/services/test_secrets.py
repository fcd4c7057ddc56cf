"""Tokens, device secrets and recovery codes."""

from math import log2

from scoring.models.table import ALPHABET, RECOVERY_LENGTH, new_code
from scoring.services.devices import new_secret
from scoring.services.links import new_token


def test_secrets_have_enough_entropy():
    made = [(new_token(), new_secret(), new_code(RECOVERY_LENGTH)) for _ in range(50)]
    assert len({each for three in made for each in three}) == 150
    assert all(len(token) * 6 >= 192 and len(secret) * 6 >= 256 for token, secret, _ in made)
    assert RECOVERY_LENGTH * log2(len(ALPHABET)) > 112
