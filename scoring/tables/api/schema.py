"""OpenAPI schema: parameters and responses that follow from a view's base class."""

from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from typing import Annotated, Any, NotRequired, TypedDict, TypeVar, is_typeddict

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.permissions import SAFE_METHODS

from referee.api.problems import DescribedProblem
from referee.api.requests import NamedParameters
from referee.api.schema import MEANINGS, PLUMBING
from referee.engine.game import all_games
from referee.engine.shapes import Schema, add_component, described, ref
from scoring.tables.reads.log_entries import LogEntry, StreamedRow, TableFinished, TableOpened

F = TypeVar("F", bound=Callable[..., Any])
PROBLEM_TYPE = "application/problem+json"
TEXT: Schema = {"type": "string"}
OTHER_RULES = NamedParameters(
    "options",
    "The house rules to change, each as its own parameter: `ties=early`.",
    names=lambda: {option.key for game in all_games() for option in game.all_options()},
)
IF_MATCH = OpenApiParameter(
    "If-Match",
    {"type": "string", "pattern": r'^(\*|(W/)?"[0-9]{1,9}(-[0-9a-f]+)?")$'},
    OpenApiParameter.HEADER,
    description="The version that the client has, in quotes: an `ETag`.",
)
IF_NONE_MATCH = {
    "name": "If-None-Match", "in": "header", "schema": TEXT,
    "description": "The `ETag` that the client has, in quotes.",
}  # fmt: skip
HEX = "[0-9a-fA-F]"
KEY = OpenApiParameter(
    "Idempotency-Key",
    # A pattern instead of a format, for which generated clients send an object.
    {"type": "string", "pattern": f"^{HEX}{{8}}-{HEX}{{4}}-{HEX}{{4}}-{HEX}{{4}}-{HEX}{{12}}$"},
    OpenApiParameter.HEADER,
    description="A random UUID. The same key and body again returns the first answer and records nothing.",
)
HEADERS: dict[str, Schema] = {
    name: {"description": description, "schema": schema} | ({"required": True} if always else {})
    for name, always, schema, description in (
        ("ETag", True, TEXT, "The version, or a hash of the content, for `If-Match` and `If-None-Match`."),
        ("Location", True, {"type": "string", "format": "uri-reference"}, "The address of the new resource."),
        ("Link", False, TEXT, 'The next page, as `rel="next"`; absent on the last page.'),
        ("Retry-After", True, {"type": "integer", "minimum": 0}, "The number of seconds to wait before trying again."),
        ("Idempotent-Replayed", False, {"type": "string", "enum": ["true"]},
         "`true` if this repeats the response to an earlier request with the same key."),
        ("RateLimit-Policy", False, TEXT,
         'Limits on the caller, such as `"writes";q=600;w=60`: 600 writes in 60 seconds.'),
        ("RateLimit", False, TEXT, 'What is left of each, such as `"writes";r=598;t=41`: 598 for the next 41 seconds.'),
        ("X-Request-Id", True, TEXT, "The id of the request, as in the server’s log."),
    )
}  # fmt: skip
"""Response headers; required ones are present on every response that documents them."""
WITH_VERSION = ("200", "201")
WITH_STATE = (409, 412, 422)
OF_GROUP = "/api/v1/groups/{code}/"
SUBJECTS = {"people": "people", "precedents": "rulings", "rulings": "rulings"} | dict.fromkeys(
    ("evenings", "season", "statistics", "tables", "what-if"), "history"
)
"""Tags of paths below a group."""
BEGINS = ("/api/v1/tables/{code}/", OF_GROUP)  # the code may be a fixed segment such as `import`


def operation(name: str, summary: str, responses: Mapping[Any, Any], **more: Any) -> Callable[[F], F]:
    """Document an operation; the method's docstring is its description."""
    return extend_schema(operation_id=name, summary=summary, responses=responses, **more)


def problem(description: str) -> OpenApiResponse:
    return OpenApiResponse(ref("TableProblem"), description)


def problems(*statuses: int) -> dict[tuple[int, str] | int, OpenApiResponse]:
    return {(status, PROBLEM_TYPE): problem(MEANINGS[status]) for status in statuses}


class CallSchema(AutoSchema):
    """Adds headers, versions, tags, rate limits and problems to an operation.

    Views of tables and groups describe their path parameters in ``address``; others have none.
    """

    def get_description(self, *args: Any) -> str:
        return " ".join(super().get_description(*args).split())

    def get_tags(self) -> list[str]:
        subject = getattr(self.view, "tag", None) or SUBJECTS.get(self.path.removeprefix(OF_GROUP).split("/")[0])
        return [subject] if subject else super().get_tags()

    @property
    def reads(self) -> bool:
        return self.method in SAFE_METHODS

    @property
    def address(self) -> Mapping[str, str] | None:
        return getattr(self.view, "address", None)

    def get_override_parameters(self) -> list[Any]:
        found: list[Any] = [*super().get_override_parameters()]
        if self.address is None:
            return found
        for name, description in self.address.items():
            kind: Any = {"type": "integer", "minimum": 1} if name == "number" else str
            found.append(OpenApiParameter(name, kind, OpenApiParameter.PATH, description=description))
        if not self.reads:
            found += [KEY, IF_MATCH] if "code" in self.address and getattr(self.view, "versioned", True) else [KEY]
        return found

    def get_auth(self) -> list[Any]:
        found = super().get_auth() if self.view.get_authenticators() else []
        needed = any(getattr(permission, "needs_token", False) for permission in self.view.get_permissions())
        return [*found, {}] if found and not needed else found

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        operation = super().get_operation(*args, **kwargs)
        if operation is None:
            return None
        operation.setdefault("security", [])
        if "requestBody" in operation:
            body: Any = self.get_request_serializer()
            if not hasattr(body, "_declared_fields") or any(field.required for field in body().fields.values()):
                operation["requestBody"]["required"] = True
        tagged = self.reads and getattr(self.view, "tagged", True)
        if tagged:
            operation.setdefault("parameters", []).append(IF_NONE_MATCH)
        queries = [each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"]
        if "parameters" in operation:
            operation["parameters"] = [
                self.shared("parameters", each["name"], each) for each in operation["parameters"]
            ]
        answers: dict[str, Schema] = operation["responses"]
        for status, told in answers.items():
            shape = self.shape_of(status)
            says = HTTPStatus(int(status)).phrase if shape is None else described(shape)
            told["description"] = told["description"] or says
        for shape in getattr(self.view, "shapes", ()):
            self.resolve_serializer(shape, "response")
        for code in self.usual_problems(operation, queried=bool(queries)):
            answers.setdefault(str(code), {"description": MEANINGS[code]})
        if tagged:
            answers["304"] = {"description": MEANINGS[304]}
        for status, told in answers.items():
            names = {"X-Request-Id", *self.headers_of(status, tagged=tagged, paged="limit" in queries)}
            told["headers"] = {
                name: self.shared("headers", name, shape) for name, shape in HEADERS.items() if name in names
            }
            if int(status) > 299:
                answers[status] = self.shared_problem(int(status), told)
        operation["responses"] = dict(sorted(answers.items()))
        return operation

    def shared_problem(self, status: int, told: Schema) -> Schema:
        """Return the shared component of a problem response."""
        name = HTTPStatus(status).name.title().replace("_", "")
        if status > 399:
            kind: Any = getattr(self.view, "problem", DescribedProblem) if status in WITH_STATE else DescribedProblem
            shape = self.resolve_serializer(kind, "response")
            told["content"] = {PROBLEM_TYPE: {"schema": shape.ref}}
            name += shape.name.removesuffix("Problem")
        return self.shared("responses", name, told)

    def shared(self, sort: str, name: str, described: Schema) -> Schema:
        """Register a component and return a reference to it; inline if the name is taken by a different one."""
        component = PLUMBING.ResolvedComponent(name, sort, described, described)
        self.registry.register_on_missing(component)
        return component.ref if self.registry[component].schema == described else described

    def usual_problems(self, operation: Schema, *, queried: bool) -> Iterator[int]:
        yield from (400, 406, 429)
        if "requestBody" in operation or self.method == "DELETE":
            yield from (413, 415)
        if self.path in BEGINS:
            yield 405
        if self.address is None:
            return
        yield 503
        if self.reads or operation["security"]:
            yield 401
        if not self.reads:
            yield 403
        if not self.reads or (queried and self.path.startswith(OF_GROUP)):
            yield 422
        if "code" in self.address:
            yield 404
            if not self.reads:
                yield 412

    def headers_of(self, status: str, *, tagged: bool, paged: bool) -> Iterator[str]:
        keys, done = {*getattr(self.shape_of(status), "__annotations__", ())}, status.startswith("2")
        if status in ("304", "412") or (status in WITH_VERSION and (tagged or "version" in keys)):
            yield "ETag"
        if status == "201" and ("links" in keys or keys >= {"version", "dispute"}):
            yield "Location"
        if status in ("429", "503"):
            yield "Retry-After"
        if done and self.address is not None and not self.reads:
            yield "Idempotent-Replayed"
        if done and self.reads and paged:
            yield "Link"
        writes = not self.reads and "code" in (self.address or ()) and hasattr(self.view, "write_permission")
        limited = writes or getattr(self.view, "opens", False) or getattr(self.view, "costly", False)
        if limited or not done:  # problem components are shared by operations with and without limits
            yield from ("RateLimit-Policy", "RateLimit")

    def shape_of(self, status: str) -> Any:
        declared: Any = self.get_response_serializers()
        found = declared.get(int(status)) if isinstance(declared, dict) else None
        shape = getattr(found, "response", found)
        return shape if is_typeddict(shape) else None

    def _get_serializer_field_meta(self, field: Any, direction: str) -> Schema:
        meta: Schema = super()._get_serializer_field_meta(field, direction)  # type: ignore[no-untyped-call]
        if meta.get("default") == "" and not getattr(field, "allow_blank", False):
            del meta["default"]  # the value of an unset filter
        return meta


class StreamedVersion(TypedDict):
    """`changed`: a table’s version, or a number that differs after each change of a group."""

    version: int


class StreamedCompany(TypedDict):
    """`presence`: who is connected."""

    seats: Annotated[list[int], "The seats whose players are connected."]
    scorekeepers: int
    spectators: int
    links: NotRequired[Annotated[list[int], "The ids of connected links; only for scorekeepers."]]


def _switch(name: str, says: str) -> Schema:
    return {"name": name, "in": "query", "schema": {"type": "string", "enum": ["0", "1"]}, "description": says}


PRESENCE = _switch("presence", "1: also send `presence`, who is connected, at once and after each change.")
EVENTS_OF = {
    "tables": _switch("events", "1: also send `recorded`, each log row as it is written."),
    "groups": _switch(
        "events", "1: also send `recorded` (each log row of the group’s tables), `opened` and `finished`."
    ),
}
LAST_ID = {
    "name": "Last-Event-ID", "in": "header", "schema": TEXT,
    "description": "With `events=1`: the id of the last message received. Missed messages are sent first. Without it, "
    "only new messages are sent; at a table, `0` starts at the first row. 400 if the id is not one of this stream, or "
    "ahead of it.",
}  # fmt: skip
STREAM = (
    "Server-sent events: `changed` with the version, at once and after every change, with the version as its `id`; "
    "`next` when the game continues at another table; `revoked` when access ends. With `events=1`, rows are sent "
    "before the `changed` they cause, and a client can resume after any `id`. A comment every 15 seconds keeps the "
    "connection open."
)
MESSAGES = (StreamedVersion, StreamedCompany, LogEntry, StreamedRow, TableOpened, TableFinished)
MESSAGE: Schema = {
    "type": "object",
    "description": "A message of a stream; `data` is JSON on one line, `{}` for `next` and `revoked`.",
    "properties": {
        "event": {
            "type": "string",
            "enum": ["changed", "recorded", "presence", "opened", "finished", "next", "revoked"],
        },
        "id": {"type": "string", "description": "The value for `Last-Event-ID`; for a table, the row number."},
        "data": {"anyOf": [*(ref(each.__name__) for each in MESSAGES), ref("Nothing")]},
    },
    "required": ["event", "data"],
}


def describe_streams(result: Schema, **_: object) -> Schema:
    shapes = result["components"]["schemas"]
    for shape in MESSAGES:
        add_component(shape, shapes)
    shapes["StreamMessage"] = MESSAGE
    sent = TEXT | {"contentMediaType": "text/event-stream", "contentSchema": ref("StreamMessage")}
    for tag, says in (("tables", "The code of the table."), ("groups", "The code of the group.")):
        problem = {"content": {PROBLEM_TYPE: {"schema": ref("TableProblem")}}}
        told = {"X-Request-Id": HEADERS["X-Request-Id"]}
        later = {"Retry-After": HEADERS["Retry-After"]} | told
        refusals = {
            str(status): problem | {"description": MEANINGS[status], "headers": later if status > 428 else told}
            for status in (400, 401, 404, 406, 429, 503)
        }
        code = {"name": "code", "in": "path", "required": True, "schema": TEXT, "description": says}
        result["paths"][f"/api/v1/{tag}/{{code}}/stream/"] = {
            "get": {
                "operationId": f"stream_{tag.removesuffix('s')}",
                "summary": f"Stream the changes of a {tag.removesuffix('s')}",
                "description": STREAM,
                "tags": [tag],
                "parameters": [code, EVENTS_OF[tag], *([PRESENCE] if tag == "tables" else ()), LAST_ID],
                "security": [{"token": []}, {}] if tag == "tables" else [{"token": []}],
                "responses": {
                    "200": {
                        "description": "The stream", "content": {"text/event-stream": {"schema": sent}},
                        "headers": told,
                    },
                    **refusals,
                },
            }
        }  # fmt: skip
    result["paths"] = dict(sorted(result["paths"].items()))
    return result
