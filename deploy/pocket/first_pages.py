"""Writes a new phone's front page in several languages as JSON: python -m deploy.pocket.first_pages en de"""

import json
import re
import sys

from deploy.pocket import phone

TOKEN = re.compile(r'(name="csrfmiddlewaretoken" value=)"[^"]*"')


def main(*languages: str) -> None:
    phone.set_up("/__BASE__/", "UTC")
    phone.wake()
    pages = {}
    for language in languages:
        asked = json.dumps({"accept-language": language})
        _, _, page, _ = phone.respond("GET", "http://localhost/__BASE__/", asked, b"")
        pages[language] = TOKEN.sub(r'\1""', page.decode()).replace("/__BASE__/", "__BASE__")
    json.dump(pages, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
