"""The pages are an app on a phone's home screen, and their worker knows the files that they need."""

import json
import re
import struct

from django.contrib.staticfiles import finders


def first_group(pattern, text):
    match = re.search(pattern, text)
    assert match, pattern
    return match[1]


def found(address):
    path = finders.find(address.removeprefix("/static/"))
    assert path, address
    return path


def test_it_works(client, db):
    page = client.get("/").content.decode()
    told = client.get(first_group(r'rel="manifest" href="([^"]+)"', page))
    assert told["Content-Type"] == "application/manifest+json"
    manifest = told.json()
    assert (manifest["name"], manifest["start_url"], manifest["display"]) == ("Card table", "/", "standalone")
    assert {(icon["sizes"], icon.get("purpose")) for icon in manifest["icons"]} >= {
        (size, purpose) for size in ("192x192", "512x512") for purpose in ("any", "maskable")
    }


def test_icons_are_as_large_as_they_say(client):
    for icon in client.get("/manifest.webmanifest").json()["icons"]:
        with open(found(icon["src"]), "rb") as file:
            head = file.read(24)
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", head[16:24])
            assert icon["sizes"] == f"{width}x{height}"


def test_the_worker_keeps_every_file_a_table_names(device):
    page = device.get(device.open_table()).content.decode()
    worker = device.get("/worker.js")
    assert worker["Content-Type"].startswith("text/javascript")
    assert worker["Cache-Control"] == "no-cache"
    kept = json.loads(first_group(r"const FILES ?= ?(\[.*?\]);", worker.content.decode()))
    assert all(map(found, kept))
    named = set(re.findall(r'(?:src|href)="(/static/[^"#]+\.(?:js|css|svg))', page))
    assert named
    assert named <= set(kept)
