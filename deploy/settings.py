"""Settings, all of them, for every way to run the product.

Everything that differs between a laptop beside the table and a public service is read from the environment; the
defaults are those of the laptop.

| variable               | default                | meaning                                                        |
|------------------------|------------------------|----------------------------------------------------------------|
| `DATABASE_URL`         | SQLite file in the var | `sqlite:////absolute/path` or `postgres://user:pw@host/name`   |
| `VAR_DIR`              | `var` in the project   | where the database, the secret and collected static files live |
| `SECRET_KEY`           | made once, kept in var | signs cookies and form tokens                                  |
| `DEBUG`                | `0`                    | Django's debug pages                                           |
| `ALLOWED_HOSTS`        | `*`                    | comma-separated host names; name them on a public service      |
| `CSRF_TRUSTED_ORIGINS` | none                   | comma-separated origins, e.g. `https://cards.example`          |
| `LOG_LEVEL`            | `INFO`                 | least severe message that is logged                            |
| `WRITES_PER_MINUTE`    | `600`                  | most acts of one link in a minute; 0: no limit                 |
| `SECONDS_TO_JUDGE`     | `5`                    | most processor time for judging a record; 0: no limit          |
| `SECONDS_FOR_BODY`     | `60`                   | most time for the body of a request to come; 0: no limit       |
| `LEAST_BODY_RATE`      | `100`                  | fewest bytes of it in a second, over ten of them; 0: no limit  |
| `REQUESTS_OF_ADDRESS`  | `400`                  | most requests of one address at once, streams apart; 0: any    |
| `WRONG_CODES_PER_HOUR` | `100`                  | most wrong codes of one address in an hour; 0: no limit        |
| `WORKERS`              | cores, 4 at most       | processes that answer                                          |
| `SECONDS_UNTIL_DEAD`   | `15`                   | most time in which a line takes nothing of what it is sent     |
| `PROXIES`              | `0`                    | our own proxies in front that note who asks, and if by TLS     |
| `HTTPS`                | `0`                    | `make run` speaks TLS, with a certificate made on the spot     |
| `PHONE_ADDRESS`        | found by `make run`    | what links and QR codes name where a page is open at localhost |
"""

import os
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from deploy.environment import flag, kept_secret, whole, words

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(os.environ.get("VAR_DIR") or BASE_DIR / "var").resolve()
VAR_DIR.mkdir(parents=True, exist_ok=True)

DEBUG = flag("DEBUG")
SECRET_KEY = os.environ.get("SECRET_KEY") or kept_secret(VAR_DIR / "secret_key")
# People reach a laptop by whatever address it has in their network, so every name is welcome unless some are listed.
ALLOWED_HOSTS = words("ALLOWED_HOSTS", default="*")
PHONE_ADDRESS = os.environ.get("PHONE_ADDRESS", "").rstrip("/")
CSRF_TRUSTED_ORIGINS = words("CSRF_TRUSTED_ORIGINS")

ROOT_URLCONF = "deploy.urls"
ASGI_APPLICATION = "deploy.asgi.application"

INSTALLED_APPS = [
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "referee",
    "scoring",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "deploy.middleware.SecureCookies",
    "deploy.middleware.Language",
    "deploy.middleware.PageCompression",
    "csp.middleware.CSPMiddleware",
    "referee.api.middleware.ApiMiddleware",
    "deploy.middleware.OddRequests",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "scoring.pages.exceptions.PageExceptions",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "environment": "scoring.pages.environment.environment",
            "context_processors": ["django.template.context_processors.i18n"],
        },
    },
    # What libraries bring along: the script of the API's documentation.
    {"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True},
]

WORKERS = whole("WORKERS", default=min(os.cpu_count() or 1, 4)) or 1

# --- The database --------------------------------------------------------------------------------------------------


def _database(url: str) -> dict[str, Any]:
    if not url.startswith(("sqlite:", "postgres:", "postgresql:")):
        raise ImproperlyConfigured("DATABASE_URL must start with sqlite:// or postgres://.")
    try:
        database: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=600, conn_health_checks=True))
    except ValueError as problem:
        raise ImproperlyConfigured(f"DATABASE_URL is not the address of a database: {problem}") from problem
    if url.startswith("sqlite:"):
        # IMMEDIATE and the busy timeout let writers queue up instead of failing; FULL because the record is the
        # product and a power cut must not take the last trick. A table's row is rewritten with every card: a longer
        # log is carried over less often, and then only the last version of each row.
        database.setdefault("OPTIONS", {}).update(
            transaction_mode="IMMEDIATE",
            timeout=20,
            init_command="PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=4000;",
        )
    else:
        # A statement that a connection has seen a few times is parsed and planned no more.
        database["ENGINE"] = "deploy.postgres"
        database.setdefault("OPTIONS", {}).update(server_side_binding=True, prepare_threshold=2)
    return database


DATABASES = {"default": _database(os.environ.get("DATABASE_URL") or f"sqlite:///{VAR_DIR / 'db.sqlite3'}")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Language and time ---------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
# Each in its own words, as whoever looks for it reads it.
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SAMESITE = "Lax"  # read by a page that the browser has kept: it follows what was chosen since
USE_I18N = True
# Every game brings its own words; Django finds those of applications by itself.
LOCALE_PATHS = sorted((BASE_DIR / "referee" / "games").glob("*/locale"))
USE_TZ = True
TIME_ZONE = "UTC"

# --- Static files: joined, collected under names that carry a hash, delivered by the server ------------------------

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "deploy.static_files.JoinedStaticFilesStorage"},
}

# --- Security headers ----------------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "media-src": ["blob:"],  # the film that keeps a screen awake
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
CSRF_FAILURE_VIEW = "scoring.pages.views.errors.not_from_here"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True

# --- Limits, shared by all processes --------------------------------------------------------------------------------

WRITES_PER_MINUTE = whole("WRITES_PER_MINUTE", default=600)
SECONDS_TO_JUDGE = whole("SECONDS_TO_JUDGE", default=5)
SECONDS_FOR_BODY = whole("SECONDS_FOR_BODY", default=60)
LEAST_BODY_RATE = whole("LEAST_BODY_RATE", default=100)
REQUESTS_OF_ADDRESS = whole("REQUESTS_OF_ADDRESS", default=400)
WRONG_CODES_PER_HOUR = whole("WRONG_CODES_PER_HOUR", default=100)
PROXIES = whole("PROXIES", default=0)
if PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- The API -------------------------------------------------------------------------------------------------------

# The largest body of a request: a long evening's record has 200 KB.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["referee.api.parsers.StrictJSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
    "URL_FORMAT_OVERRIDE": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "scoring.api.problems.exception_handler",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Card table referee and scorekeeper",
    "DESCRIPTION": "Judges what happened at a real card table, with the rule for every answer, and keeps the record.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "referee.api.schema.add_components",
        "scoring.api.schema.allow_missing_bodies",
    ],
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "COMPONENT_SPLIT_REQUEST": True,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "displayRequestDuration": True, "validatorUrl": None},
}

# --- Logging: everything to standard error -------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": os.environ.get("LOG_LEVEL", "INFO").upper()},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        # An answer of 4xx is part of the contract with the caller, not news for whoever runs the server.
        "django.request": {"level": "ERROR"},
        # Under DEBUG, Django would log every value it writes, hidden choices among them.
        "django.db.backends": {"level": "INFO"},
    },
}
