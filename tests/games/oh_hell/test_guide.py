"""Being led through what went wrong, in a game whose cards have one suit."""

from tests.referee.api.conftest import Api
from tests.referee.api.test_guides import ask
from tests.referee.telling import exercises


@exercises("IR-1")
def test_who_did_not_follow_is_asked_in_one_word():
    assert "suits" not in ask(Api(), "ask-none", "oh-hell")["ruling"]["text"]
