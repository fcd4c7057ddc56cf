"""A forgotten name disappears from the database files, too, while the server runs."""

from tests.scoring.live.driving import NEW_TABLE, serving

NAME = "Wilhelmine"


def test_a_forgotten_name_is_gone_from_the_database_files(tmp_path):
    with serving(tmp_path) as server:
        _, group = server.post("groups/", {"name": "Thursday", "people": ["Ann", NAME]})
        path = f"groups/{group['code']}/people/{group['people'][1]['id']}/"
        _, table = server.post("tables/", NEW_TABLE | {"seats": ["Ann", NAME, "Cy"]}, group["token"])
        for tricks in ([12, 0, 0], [0, 12, 0]):
            events = [{"type": "result", "tricks": tricks}, {"type": "note", "text": f"{NAME} sighs"}]
            assert server.post(f"tables/{table['code']}/events/", {"events": events}, table["token"])[0] == 201
        assert holds(tmp_path)
        assert server.delete(path, group["token"]) == 204
        assert not holds(tmp_path)


def holds(var):
    return [file.name for file in var.glob("*.sqlite3*") if NAME.lower().encode() in file.read_bytes().lower()]
