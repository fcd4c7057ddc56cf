"""What the script of the page marks on the keys of a pad, once it has an answer."""

import re

PAD = re.compile(r'(<fieldset class="pad[^>]*>)(.*?</fieldset>)', re.DOTALL)
BUTTON = re.compile(r'<button class="(card[^"]*)"([^>]*? value="(\w+)"[^>]*)>')
LABEL = re.compile(r'<label class="(card[^"]*)"([^>]*)>(\s*)<input([^>]*? value="(\w+)"[^>]*)>')
MARKED = re.compile(r' (?:aria-describedby="[\w-]+-claims"|type="button"|aria-disabled="true"|disabled)(?=[ >]|$)')


def marked_keys(html):
    """Return a page with its keys marked as its pads say, which is what `keys.js` does."""

    def pad(found):
        head, keys = found.groups()
        gone, claims = codes_in("gone", head), codes_in("claims", head)
        out = ' type="button" aria-disabled="true"' if "data-tells" in head else " disabled"
        legend = re.search(r'class="pad-legend" id="([\w-]+)"', keys)

        def classes(plain, code):
            kept = [each for each in plain.split() if each not in ("gone", "claims")]
            return " ".join([*kept, *["gone"] * (code in gone), *["claims"] * (code in claims)])

        def button(key):
            plain, rest, code = key.groups()
            said = f' aria-describedby="{legend[1]}"' if legend and code in claims else ""
            return f'<button class="{classes(plain, code)}"{MARKED.sub("", rest)}{said}{out if code in gone else ""}>'

        def label(key):
            plain, rest, blank, box, code = key.groups()
            off = out.replace(' type="button"', "") if code in gone else ""
            return f'<label class="{classes(plain, code)}"{rest}>{blank}<input{MARKED.sub("", box)}{off}>'

        return head + LABEL.sub(label, BUTTON.sub(button, keys))

    return PAD.sub(pad, html)


def codes_in(what, html):
    """Return the codes of the cards that a pad says are `gone`, or make `claims`."""
    return set(" ".join(re.findall(rf'data-{what}="([^"]*)"', html)).split())
