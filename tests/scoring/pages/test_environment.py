"""How templates are read: as one for whoever serves pages, file by file for whoever writes them."""

import pytest
from jinja2 import ChoiceLoader, DictLoader, FileSystemLoader

from scoring.pages.environment import environment


@pytest.mark.parametrize(("auto_reload", "shown"), [(True, "<p>new</p>"), (False, "<p>old</p>")])
def test_an_edited_fragment_shows_at_once_while_templates_are_watched(auto_reload, shown, settings):
    texts = {"page.html": '<p>{% include "_part.html" %}</p>', "_part.html": "old"}
    folder = settings.TEMPLATES[0]["DIRS"][0]
    made = environment(loader=ChoiceLoader([DictLoader(texts), FileSystemLoader(folder)]), auto_reload=auto_reload)
    assert made.get_template("page.html").render() == "<p>old</p>"
    texts["_part.html"] = "new"
    assert made.get_template("page.html").render() == shown
