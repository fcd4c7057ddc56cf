"""The product knows this game by its folder alone."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
OWN = "referee/games/oh_hell"
WHERE = ("referee", "scoring", "deploy", "templates")
NAMED = re.compile(r"oh[-_ ]?hell|\bturn-up\b|\bOH-\w*\d", re.IGNORECASE)
BINARY = {".mo", ".png", ".ico", ".webp", ".woff2", ".sqlite3", ".pyc"}


def test_no_file_outside_its_folder_knows_the_game():
    files = [path for folder in WHERE for path in sorted((ROOT / folder).rglob("*")) if path.is_file()]
    others = [path for path in files if not path.relative_to(ROOT).as_posix().startswith(OWN)]
    texts = [path for path in others if path.suffix not in BINARY]
    assert len(texts) > 400
    knowing = [path.relative_to(ROOT).as_posix() for path in texts if NAMED.search(path.read_text(errors="replace"))]
    assert knowing == []
