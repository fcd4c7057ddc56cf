"""POST tables/"""

from tests.scoring.conftest import ACE_TRUMP

URL = "/api/v1/tables/"


def test_it_works(stranger):
    answer = stranger.post(URL, ACE_TRUMP, format="json")
    assert answer.status_code == 201
    table = answer.json()
    assert table["version"] == 0
    assert table["state"]["hands"] == []
    assert table["state"]["next"]["dealer"] == 2
    assert len(table["token"]) > 30
    assert answer["Location"] == table["links"]["self"] == f"/api/v1/tables/{table['code']}/"
    assert answer["ETag"] == '"0"'


def test_the_token_writes(stranger):
    table = stranger.post(URL, ACE_TRUMP, format="json").json()
    stranger.credentials(HTTP_AUTHORIZATION=f"Bearer {table['token']}")
    event = {"type": "play", "seat": 0, "cards": ["8MS"]}
    assert stranger.post(table["links"]["events"], event, format="json").status_code == 201


def test_a_wrong_house_rule_is_refused(stranger):
    answer = stranger.post(URL, ACE_TRUMP | {"options": {"ties": "coin"}}, format="json")
    assert answer.status_code == 422
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["errors"][0]["pointer"] == "/options/ties"


def test_a_wrong_type_is_malformed(stranger):
    assert stranger.post(URL, ACE_TRUMP | {"seats": "Ann"}, format="json").status_code == 400
