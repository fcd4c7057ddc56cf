"""The front page."""

from django.utils.html import escape

from referee.engine.catalogue import all_games


def test_it_works(device):
    page = device.get("/").content.decode()
    for game in all_games():
        assert game.name in page
        assert escape(game.tagline) in page
    for pack in {game.pack_name for game in all_games()}:
        assert page.count(f"<small>{pack}</small>") == sum(game.pack_name == pack for game in all_games())


def test_the_tables_of_this_device_are_listed_and_no_others(device, other):
    address = device.open_table()
    assert address in device.get("/").content.decode()
    assert address not in other.get("/").content.decode()


def test_a_table_opened_by_its_code_is_remembered(device, other):
    address = device.open_table()
    code = address.split("/")[2]
    answer = other.get("/find/", {"code": f" {code[:4].lower()}-{code[4:]} "})
    assert answer["Location"] == address
    other.get(address)
    assert address in other.get("/").content.decode()


def test_a_wrong_code_is_told(device):
    answer = device.get("/find/", {"code": "ZZZZ-ZZZZ"})
    assert answer.status_code == 404
    assert "There is no table with this code." in answer.content.decode()


def test_a_cookie_of_somebody_else_is_no_cookie(device):
    device.cookies["device-2ffe7320"] = "forged"
    assert device.get("/").status_code == 200


def test_a_device_forgets_a_table_and_what_it_may_do_there(device):
    kept, gone = device.open_table(), device.open_table()
    answer = device.post(f"{gone}forget/")
    assert (answer.status_code, answer["Location"]) == (302, "/")
    page = device.get("/").content.decode()
    assert f'href="{kept}"' in page
    assert f'href="{gone}"' not in page
    assert device.tap(gone, "play", seat="0", cards="8MS").status_code == 403
    assert device.tap(kept, "play", seat="0", cards="8MS").status_code == 302


def test_what_is_forgotten_is_offered_by_name_and_only_where_there_is_something(device, other):
    address = device.open_table()
    assert f'action="{address}forget/"' in device.get("/").content.decode()
    assert "Forget" not in other.get("/").content.decode()
    assert other.post("/t/ZZZZZZZZ/forget/").status_code == 302
    assert other.get(f"{address}forget/").status_code == 405
