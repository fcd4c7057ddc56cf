"""The two Python clients behind the one interface in which the stories are told."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

SEATS = ["Ann", "Bob", "Cy", "Dee"]


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a call: status, headers, and the body as the client's own models."""

    status: int
    headers: dict[str, str]
    body: Any


class Player(Protocol):
    """A client at a server."""

    def open(self, game: str, seats: int, *, private: bool = False) -> Answer: ...
    def table(self, code: str, token: str = "") -> Answer: ...
    def asks(self, code: str, token: str) -> Answer: ...
    def record(self, code: str, token: str, event: Any, *, key: str = "", version: int | None = None) -> Answer: ...
    def log(self, code: str, token: str) -> Answer: ...
    def amend(self, code: str, token: str, seq: int, event: Any, *, dry_run: bool = False) -> Answer: ...
    def link(self, code: str, token: str, role: str, seat: int | None) -> Answer: ...


class AttrsPlayer:
    """The client of openapi-python-client: a function per operation, attrs models."""

    def __init__(self, url: str) -> None:
        from attrs_client import models

        self.url, self.models = url, models
        self.clients: dict[str, Any] = {}

    def _client(self, token: str) -> Any:
        from attrs_client import AuthenticatedClient, Client

        if token not in self.clients:
            made = AuthenticatedClient(base_url=self.url, token=token) if token else Client(base_url=self.url)
            self.clients[token] = made
        return self.clients[token]

    def _call(self, operation: str, *path: Any, token: str = "", **more: Any) -> Answer:
        call = import_module(f"attrs_client.api.tables.{operation}").sync_detailed
        answer = call(*path, client=self._client(token), **more)
        headers = {name.lower(): value for name, value in answer.headers.items()}
        return Answer(int(answer.status_code), headers, answer.parsed)

    def open(self, game: str, seats: int, *, private: bool = False) -> Answer:
        end = self.models.End(kind=self.models.EndKind.HANDS, value=1)
        names, game_id = SEATS[:seats], self.models.GameId(game)
        body = self.models.NewTable(game=game_id, seats=names, first_dealer=0, end=end, private=private)
        return self._call("open_table", body=body)

    def table(self, code: str, token: str = "") -> Answer:
        return self._call("get_table", code, token=token)

    def asks(self, code: str, token: str) -> Answer:
        return self._call("get_asks", code, token=token)

    def record(self, code: str, token: str, event: Any, *, key: str = "", version: int | None = None) -> Answer:
        more = {"idempotency_key": key} if key else {}
        more |= {} if version is None else {"if_match": f'"{version}"'}
        return self._call("record_events", code, token=token, body=self.models.EventsToRecord(events=[event]), **more)

    def log(self, code: str, token: str) -> Answer:
        return self._call("get_log", code, token=token)

    def amend(self, code: str, token: str, seq: int, event: Any, *, dry_run: bool = False) -> Answer:
        body = self.models.Amendment(seq=seq, event=event, reason="The other card.")
        trial = self.models.AmendDryRun(str(int(dry_run)))
        return self._call("amend", code, token=token, body=body, dry_run=trial)

    def link(self, code: str, token: str, role: str, seat: int | None) -> Answer:
        body = self.models.LinkToMake(role=self.models.LinkRole(role), seat=seat)
        return self._call("make_link", code, token=token, body=body)


class PydanticPlayer:
    """The client of openapi-generator: a class per tag, pydantic models."""

    def __init__(self, url: str) -> None:
        import pydantic_client

        self.url, self.made = url, pydantic_client
        self.clients: dict[str, Any] = {}

    def _call(self, operation: str, *given: Any, token: str = "", **more: Any) -> Answer:
        if token not in self.clients:
            configuration = self.made.Configuration(host=self.url, access_token=token or None)
            self.clients[token] = self.made.TablesApi(self.made.ApiClient(configuration))
        try:
            answer = getattr(self.clients[token], f"{operation}_with_http_info")(*given, **more)
        except self.made.ApiException as refused:
            return Answer(refused.status, _lower(refused.headers), refused.data)
        return Answer(answer.status_code, _lower(answer.headers), answer.data)

    def open(self, game: str, seats: int, *, private: bool = False) -> Answer:
        end = self.made.End(kind="hands", value=1)
        body = self.made.NewTable(game=game, seats=SEATS[:seats], first_dealer=0, end=end, private=private)
        return self._call("open_table", body)

    def table(self, code: str, token: str = "") -> Answer:
        return self._call("get_table", code, token=token)

    def asks(self, code: str, token: str) -> Answer:
        return self._call("get_asks", code, token=token)

    def record(self, code: str, token: str, event: Any, *, key: str = "", version: int | None = None) -> Answer:
        more: dict[str, Any] = {"idempotency_key": key} if key else {}
        more |= {} if version is None else {"if_match": f'"{version}"'}
        return self._call("record_events", code, self.made.EventsToRecord(events=[event]), token=token, **more)

    def log(self, code: str, token: str) -> Answer:
        return self._call("get_log", code, token=token)

    def amend(self, code: str, token: str, seq: int, event: Any, *, dry_run: bool = False) -> Answer:
        body = self.made.Amendment(seq=seq, event=event, reason="The other card.")
        return self._call("amend", code, body, token=token, dry_run=str(int(dry_run)))

    def link(self, code: str, token: str, role: str, seat: int | None) -> Answer:
        return self._call("make_link", code, self.made.LinkToMake(role=role, seat=seat), token=token)


def _lower(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in dict(headers or {}).items()}


PLAYERS: dict[str, Callable[[str], Player]] = {
    "openapi-python-client": AttrsPlayer,
    "openapi-generator": PydanticPlayer,
}
