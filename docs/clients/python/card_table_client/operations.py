"""Every operation of the API, by its id in the server's schema. The built package has them written out, with types."""

import re
from typing import Any

from card_table_client.calls import Calls


class Operations:
    """The operations of a server, with the rights of a token: `get_table(code)`, `amend(code, body, version=3)`.

    The parts of the address come first, then the body; parameters of the query are named.
    """

    def __init__(self, calls: Calls, token: str = "") -> None:
        self._calls, self.token = calls, token

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._calls.operations:
            raise AttributeError(name)
        method, path = self._calls.operations[name]
        names = re.findall(r"{(\w+)}", path)

        def call(*given: Any, version: int | None = None, last_id: str | None = None, **query: Any) -> Any:
            where = path.format(**dict(zip(names, given, strict=False)))
            asked = {key.rstrip("_"): value for key, value in query.items()}
            if where.endswith("/stream/"):
                return self._calls.stream(where, self.token, asked, last_id)
            if method == "get":
                return self._calls.read(where, self.token, asked)
            body = given[len(names)] if len(given) > len(names) else None
            return self._calls.write(method.upper(), where, self.token, asked, body, version)

        return call
