"""`cardref`: the referee in a terminal."""

import argparse
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import httpx

from card_table_client.client import CardTable
from card_table_client.problems import Refused


def main(words: list[str] | None = None) -> int:
    """Run the command; 0: done, 1: refused, irregular or out of reach, 2: the command itself is wrong."""
    asked = parser().parse_args(words)
    try:
        with CardTable(asked.server, asked.token, language=asked.language) as server:
            return int(asked.run(server, asked))
    except Refused as why:
        print(why, file=sys.stderr)
        for each in why.problem.get("errors", ()):
            print(f"  {each.get('parameter') or each['pointer']}: {each['detail']}", file=sys.stderr)
    except (httpx.HTTPError, OSError) as why:
        print(f"{asked.server}: {why}", file=sys.stderr)
    except KeyboardInterrupt:
        return 0
    return 1


def parser() -> argparse.ArgumentParser:
    """Describe the command."""
    said = argparse.ArgumentParser(prog="cardref", description="Ask the referee of a card table.")
    said.add_argument("--server", default=os.environ.get("CARDREF_SERVER", "http://localhost:8000"))
    said.add_argument("--token", default=os.environ.get("CARDREF_TOKEN", ""), help="of a link, for what is private")
    said.add_argument("--language", default="en", help="of the sentences: en, de, es, fr, it, nl")
    said.add_argument("--json", action="store_true", help="print the whole answer")
    commands = said.add_subparsers(required=True, metavar="COMMAND")
    judging = commands.add_parser("judge", help="judge a record: JSON, text or CSV")
    judging.add_argument("file", help="a file, or - for standard input")
    judging.set_defaults(run=judge)
    trick = commands.add_parser("trick", help="tell who wins a trick")
    trick.add_argument("game", help="such as ace-trump")
    trick.add_argument("cards", nargs="+", metavar="CARD", help="in the order played; CARD:RULING in Wildcat Chicane")
    trick.add_argument("--trump", help="trump before the trick")
    trick.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="a house rule")
    trick.set_defaults(run=ask_trick)
    following = commands.add_parser("follow", help="print what is recorded at a table, as it is recorded")
    following.add_argument("code", help="the code of the table")
    following.add_argument("--after", metavar="SEQ", help="first what was recorded behind this row; 0: the whole log")
    following.set_defaults(run=follow)
    return said


def judge(server: CardTable, asked: argparse.Namespace) -> int:
    """Print how a record stands; 1 where an event of it is not taken."""
    text = sys.stdin.read() if asked.file == "-" else Path(asked.file).read_text(encoding="utf-8")
    judged: Any = server.judge(json.loads(text) if text.lstrip().startswith("{") else text)
    if asked.json:
        print(json.dumps(judged, ensure_ascii=False, indent=2))
    else:
        print("\n".join(told(judged)))
    return int(judged["rejected"] is not None)


def told(judged: Any) -> Iterable[str]:
    """Yield an adjudication line by line."""
    for hand in judged["hands"]:
        scores = " ".join("–" if score is None else str(score) for score in hand["scores"])
        yield f"Hand {hand['number']}: {scores}"
        for each in hand["irregularities"]:
            yield f"  {each['certainty']}: {in_words(each['reason'])}"
    yield f"Total: {' '.join(map(str, judged['totals']))}"
    if judged["winners"]:
        yield f"Won by seat {', '.join(map(str, judged['winners']))}"
    if stopped := judged["rejected"]:
        yield f"Stopped at hand {stopped['hand'] + 1}, event {stopped['event'] + 1}: {in_words(stopped['reason'])}"


def ask_trick(server: CardTable, asked: argparse.Namespace) -> int:
    """Print who wins a trick."""
    plays = [dict(zip(("cards", "ruling_card"), ([card], *ruling), strict=False)) for card, *ruling in
             (each.split(":") for each in asked.cards)]  # fmt: skip
    options = dict(each.partition("=")[::2] for each in asked.option)
    body: Any = {"game": asked.game, "options": options, "players": len(plays), "trump": asked.trump, "plays": plays}
    answer: Any = server.api.ask_trick(body)
    print(json.dumps(answer, ensure_ascii=False, indent=2) if asked.json else in_words(answer["reason"]))
    return 0


def follow(server: CardTable, asked: argparse.Namespace) -> int:
    """Print every row of the log as it is written, until the right to read ends."""
    for message in server.table(asked.code, asked.token).follow(asked.after):
        if message.event == "recorded":
            row = message.data
            print(json.dumps(row, ensure_ascii=False) if asked.json else in_a_line(row), flush=True)
    return 0


def in_a_line(row: Any) -> str:
    """Return a row of the log in a line."""
    event = row.get("event") or {}
    said = " ".join(f"{key}={_plain(value)}" for key, value in event.items() if key != "type")
    return f"{row['seq']:>5}  {event.get('type', 'undo'):<8} {said}".rstrip()


def in_words(reason: Any) -> str:
    """Return a reason with its clauses."""
    return f"{reason['text']} [{', '.join(reason['clauses'])}]"


def _plain(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


if __name__ == "__main__":
    sys.exit(main())
