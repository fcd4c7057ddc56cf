"""What people, phones and programs do in an evening, act by act; failures are reported and the evening goes on."""

import re
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any
from uuid import uuid4

from django.core.management import call_command
from django.db import connection
from django.test import override_settings

from tests.scoring.conftest import OpenTable, holder, open_table, play
from tests.scoring.groups import Thursday, make_group, result
from tests.scoring.pages.conftest import Device

LOOKS = (
    "", "tables/", "evenings/", "statistics/", "statistics/?by=evening", "people/", "rulings/", "archive/?as=history",
    "archive/",
)  # fmt: skip
PAGES = ("", "history/", "statistics/", "people/", "links/", "rulings/", "law-book/", "settings/")
COMMANDS = (
    ["verify_tables"],
    ["rebuild_statistics"],
    ["forget_keys"],
    ["installation"],
    ["prune", "--days=1"],
)
OPENED = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2}
STATIC = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}


class Evening:
    """The acts done, and the failed ones with the database's error."""

    def __init__(self) -> None:
        self.done, self.failed, self._refused = 0, list[str](), ""
        self._device, self._tapped = Device(), ""
        self._group: Thursday | None = None

    def do(self, name: str, act: Callable[..., Any], *args: Any, **more: Any) -> Any:
        """Do an act; return its result, or None if it failed."""
        self.done += 1
        self._refused = ""
        try:
            with connection.execute_wrapper(self._ask):
                answer = act(*args, **more)
            status = getattr(answer, "status_code", 200)
            if status < 400:
                return answer
            why = f"{status} {getattr(answer, 'content', b'')[:300]!r}"
        except Exception as problem:  # noqa: BLE001 - whatever a database says of it is what is looked for
            why = f"{type(problem).__name__}: {problem}"
        self.failed.append(f"{name}: {why}\n    {self._refused}")
        return None

    def _ask(self, ask: Callable[..., Any], sql: str, *rest: Any) -> Any:
        try:
            return ask(sql, *rest)
        except Exception:
            self._refused = self._refused or re.sub(r"SELECT .*? FROM", "SELECT … FROM", sql)[:900]
            raise

    def play(self) -> None:
        """Play the evening, from the first table to the last look at the history."""
        group = self._group = self.do("a group is made", make_group)
        tables = {"a group": group and self.do("a table of a group", group.open_table)}
        tables["nobody"] = self.do("a table of nobody", open_table)
        for whose, table in tables.items():
            if table is not None:
                self._play_at(table, whose)
        if group is not None:
            self._look_at(group)
        device = self._device
        self._tap(device)
        if group is not None:
            self.do("a phone joins the group", device.post, f"/g/{group.code}/join/", {"token": group.token})
            for end in PAGES:
                self.do(f"group page {end}", device.get, f"/g/{group.code}/{end}")
            self.do("another table", group.member.post, "/api/v1/tables/", OPENED, headers=key())

    def clear_up(self) -> None:
        """Delete what was played: a table, a phone's memory of one, expired rows, and the group."""
        self.do("delete", self._device.post, f"{self._tapped}delete/", {"code": self._tapped.split("/")[2]})
        self.do("forget", self._device.post, f"{self.do('another one', self._device.open_table)}forget/")
        for command in COMMANDS:
            self.do(command[0], call_command, *command, stdout=StringIO())
        if self._group is not None:
            self.do("the group is deleted", self._group.member.delete, self._group.url, headers=key())

    def _play_at(self, table: OpenTable, whose: str) -> None:
        me, path = holder(table.token), f"/api/v1/tables/{table.code}/"
        for method, end, *body in acts():
            self.do(f"{method} {end} at a table of {whose}", getattr(me, method), path + end, *body, headers=key())
        links = self.do("links", me.get, f"{path}links/")
        if links is not None:
            link = f"{path}links/{links.json()['rights'][-1]['id']}/"
            self.do("a link is named", me.patch, link, {"name": "Wall"}, headers=key())
            self.do("a link is revoked", me.delete, link, headers=key())
        amend = {"seq": me.get(f"{path}events/").json()["events"][-2]["seq"], "event": result(3, 5, 4), "reason": "no"}
        self.do("amend", me.post, f"{path}amendments/", amend, headers=key())
        self.do("dispute", me.post, f"{path}disputes/", {"claim": "No!"}, headers=key())
        self.do("rename", me.patch, path, {"seats": ["Ann", "Rob", "Cy"]}, headers=key())
        self.do("import", me.post, "/api/v1/tables/import/", me.get(f"{path}record/").json(), headers=key())

    def _look_at(self, group: Thursday) -> None:
        for end in LOOKS:
            self.do(f"get {end} of the group", group.member.get, group.url + end)
        self.do("a person", group.member.post, f"{group.url}people/", {"name": "Dee"}, headers=key())
        first, *_others, last = group.people().values()
        merge = f"{group.url}people/{last}/merge/"
        self.do("merge", group.member.post, merge, {"into": first}, headers=key())
        self.do("a link", group.member.post, f"{group.url}links/", {"role": "viewer"}, headers=key())

    def _tap(self, device: Device) -> None:
        address = self.do("a phone opens a table", device.open_table)
        if address is None:
            return
        self._tapped = address
        for card in ("8MS", "XS"):
            tap = {"event": "play", "seat": "", "cards": card}
            self.do(f"tap {card}", device.post, f"{address}record/", tap, headers={"HX-Request": "true", **key()})
            self.do("look", device.get, address)
        self.do("undo", device.post, f"{address}undo/", {}, headers={"HX-Request": "true", **key()})
        for end in ("log/", "share/", "settings/", "disputes/", "points/", "screen/"):
            self.do(f"page {end}", device.get, address + end)
        self.do("the front page", device.get, "/")


def acts() -> Iterator[tuple[Any, ...]]:
    """Yield what a program does at a table, from the first card to the next table."""
    yield from (("post", "events/", play(0, "8MS")), ("post", "events/", play(1, "XS")), ("post", "undo/", {}))
    yield from (("post", "links/", {"role": "spectator"}), ("patch", "", {"private": True}))
    yield from (("patch", "", {"private": False}), ("get", ""), ("get", "asks/"), ("get", "events/"))
    yield from (("get", "record/"), ("get", "links/"), ("get", "disputes/"), ("post", "undo/", {}))
    yield ("post", "events/", {"events": [result(4, 4, 4), {"type": "end"}]})
    yield ("post", "continue/", {"seats": ["Ann", "Bob", "Dee"], "first_dealer": 0})


def key() -> dict[str, str]:
    return {"Idempotency-Key": str(uuid4())}


@override_settings(STORAGES=STATIC, ALLOWED_HOSTS=["*"])
def an_evening() -> int:
    """Play the evening; print the failures and return their number."""
    evening = Evening()
    evening.play()
    evening.clear_up()
    for failed in evening.failed:
        print("FAILED", failed)
    print(f"{evening.done - len(evening.failed)} of {evening.done} acts done.")
    return len(evening.failed)
