"""Settings of the pocket: a server's, minus those that concern other clients."""

from jinja2 import ModuleLoader

from deploy.environment import text
from deploy.settings import *  # noqa: F403 - a variant of the server's settings
from deploy.settings import CONTENT_SECURITY_POLICY, LOCALE_PATHS, PAGES, VAR_DIR

POCKET = True
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "deploy.pocket.urls"
INSTALLED_APPS = ["django.contrib.staticfiles", "django_htmx", "referee", "scoring"]
# No CSRF tokens: pages served before Python has started have none. The service worker checks the referrer instead.
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "scoring.operating.pages.site.PageExceptions",
]

# Pages are shown in a frame of the document that keeps Python running.
X_FRAME_OPTIONS = "SAMEORIGIN"
CONTENT_SECURITY_POLICY["DIRECTIVES"]["frame-ancestors"] = ["'self'"]

# Templates are compiled when the pocket is built.
COMPILED_TEMPLATES = VAR_DIR / "templates"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "OPTIONS": {
            **PAGES["OPTIONS"],
            "context_processors": [*PAGES["OPTIONS"]["context_processors"], "deploy.pocket.urls.kept"],
            "loader": ModuleLoader(COMPILED_TEMPLATES),
        },
    }
]

# One process with one connection: there are no other locks, and no shared memory for a WAL. The journal reaches the
# disk before the database changes, and the database before a response is sent.
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": f"{text('DISK', default='/disk')}/db.sqlite3",
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=TRUNCATE; PRAGMA synchronous=FULL;"
            "PRAGMA temp_store=MEMORY; PRAGMA secure_delete=ON;",
        },
    }
}

# Catalogues of fetched languages (`phone.learn`).
LOCALE_PATHS = [*LOCALE_PATHS, VAR_DIR / "locale"]

STATIC_URL = "static/"  # relative to the pocket's base path
STATIC_ROOT = VAR_DIR / "static"
STORAGES = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"}}

# No limits on a phone of one's own.
WRITES_PER_MINUTE = OPENINGS_PER_HOUR = WRONG_CODES_PER_HOUR = COSTLY_SECONDS_PER_MINUTE = 0
