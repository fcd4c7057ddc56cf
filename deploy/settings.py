"""Settings for every way to run the product.

Whatever differs between a laptop at the table and a public service is read from the environment; the defaults suit the
laptop. Each variable is documented in `docs/reference/settings.md`. An invalid value stops the start, because a guess
would go unnoticed until a game is under way.
"""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.http.request import validate_host

from deploy.environment import contacts, flag, folder, hosts, one_of, origin, origins, secret, text, time_zone, whole

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = folder("VAR_DIR", default=BASE_DIR / "var")

DEBUG = flag("DEBUG")
POCKET = False  # True in deploy.pocket.settings
SECRET_KEY = secret("SECRET_KEY", VAR_DIR / "secret_key")

# --- Public address: the other addresses are derived from it ----------------------------------------------------------

PUBLIC_URL = origin("PUBLIC_URL")
PUBLIC = urlsplit(PUBLIC_URL)
PUBLIC_HOST = PUBLIC.netloc.removesuffix(f":{PUBLIC.port}")
OVER_TLS = PUBLIC.scheme == "https"
HERE = ["localhost", "127.0.0.1", "[::1]"]
# A laptop is reached by any address it has in the local network, so every host name is allowed. A service also allows
# the machine's own names, for health checks by a local proxy.
ALLOWED_HOSTS = hosts("ALLOWED_HOSTS", default=",".join([PUBLIC_HOST, *HERE]) if PUBLIC_HOST else "*")
if PUBLIC_HOST and not validate_host(PUBLIC_HOST, ALLOWED_HOSTS):
    raise ImproperlyConfigured(f"ALLOWED_HOSTS must have {PUBLIC_HOST} in it, as PUBLIC_URL has, or be left out.")
CSRF_TRUSTED_ORIGINS = list(dict.fromkeys([*origins("CSRF_TRUSTED_ORIGINS"), *([PUBLIC_URL] if PUBLIC_URL else [])]))
PHONE_ADDRESS = origin("PHONE_ADDRESS")
PROXIES = whole("PROXIES", default=0, most=10)
if PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = OVER_TLS
SECURE_SSL_HOST = PUBLIC.netloc or None
# Health checks come from within, without TLS. API requests over plain HTTP are refused (deploy.middleware): after a
# redirect, a client would keep sending its token unencrypted first.
SECURE_REDIRECT_EXEMPT = [r"^health/", r"^api/(?!v1/docs/)"]
SECURE_HSTS_SECONDS = whole("HSTS_SECONDS", default=365 * 24 * 3600, most=10 * 365 * 24 * 3600) if OVER_TLS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = flag("HSTS_SUBDOMAINS") and OVER_TLS
CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = SESSION_COOKIE_SECURE = OVER_TLS
# With TLS, `__Host-` binds cookies to this host, so that other hosts of the domain cannot set them.
COOKIE_PREFIX = "__Host-" if OVER_TLS else ""
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrftoken"
SESSION_COOKIE_NAME = "__Secure-sessionid" if OVER_TLS else "sessionid"  # it has its own path
# HSTS for subdomains is the operator's choice (HSTS_SUBDOMAINS), and no site is put on browsers' preload lists.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

ROOT_URLCONF = "deploy.urls"

INSTALLED_APPS = [
    "django.contrib.staticfiles",
    "corsheaders",
    "django_htmx",
    "csp",
    "rest_framework",
    "drf_spectacular",
    *(["drf_spectacular_sidecar"] if find_spec("drf_spectacular_sidecar") else []),
    "referee",
    "scoring",
]

MIDDLEWARE = [
    "deploy.middleware.RequestIds",
    "django.middleware.security.SecurityMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "deploy.middleware.Cookies",
    "deploy.middleware.Language",
    "deploy.middleware.Compression",
    "deploy.middleware.ContentPolicy",
    "referee.api.middleware.ApiMiddleware",
    "deploy.middleware.OddRequests",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "scoring.operating.pages.site.PageExceptions",
]

# Django's admin, with its own accounts: off by default.
ADMIN = flag("ADMIN")
if ADMIN:
    INSTALLED_APPS += [f"django.contrib.{name}" for name in ("admin", "auth", "contenttypes", "sessions", "messages")]
    MIDDLEWARE += [
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
    ]
SESSION_ENGINE = "scoring.admin"
SESSION_COOKIE_PATH, SESSION_COOKIE_SAMESITE, SESSION_COOKIE_AGE = "/admin/", "Strict", 8 * 3600
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

PAGES: dict[str, Any] = {
    "BACKEND": "django.template.backends.jinja2.Jinja2",
    "DIRS": [BASE_DIR / "templates"],
    "OPTIONS": {
        "environment": "scoring.operating.pages.environment.environment",
        "context_processors": [
            "django.template.context_processors.i18n",
            "scoring.operating.pages.site.display",
        ],
    },
}
TEMPLATES = [
    PAGES,
    # Templates of libraries: the page of the API documentation.
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
            if ADMIN
            else []
        },
    },
]

WORKERS = whole("WORKERS", default=min(os.cpu_count() or 1, 4), least=1, most=256)
METRICS_HOST, METRICS_PORT = text("METRICS_HOST", default="127.0.0.1"), whole("METRICS_PORT", default=0, most=65535)
LEAST_FREE_MEGABYTES = whole("LEAST_FREE_MEGABYTES", default=100)
SECONDS_UNTIL_DEAD = whole("SECONDS_UNTIL_DEAD", default=15, least=1)

# --- The database --------------------------------------------------------------------------------------------------

POSTGRES = ("postgres:", "postgresql:")


def _database(name: str, url: str) -> dict[str, Any]:
    if not url.startswith(("sqlite:", *POSTGRES)):
        raise ImproperlyConfigured(f"{name} must start with sqlite:// or postgres://.")
    try:
        database: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=600, conn_health_checks=True))
    except ValueError as problem:
        raise ImproperlyConfigured(f"{name} is not the address of a database: {problem}") from problem
    if not database["NAME"]:
        raise ImproperlyConfigured(f"{name} must end with the name of a database, or of a file for SQLite.")
    if url.startswith("sqlite:"):
        # IMMEDIATE and the busy timeout make writers queue instead of failing. FULL, because a power cut must not lose
        # the last trick. A table's row is rewritten with every card; with fewer checkpoints, only its last version is
        # copied.
        database.setdefault("OPTIONS", {}).update(
            transaction_mode="IMMEDIATE",
            timeout=20,
            init_command="PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=4000;"
            "PRAGMA secure_delete=ON;",  # deleted data does not stay in the file
        )
    else:
        # A statement seen a few times on a connection is prepared, so it is not parsed and planned again.
        database["ENGINE"] = "deploy.postgres"
        database.setdefault("OPTIONS", {}).update(server_side_binding=True, prepare_threshold=2)
    return database


DATABASE_URL = text("DATABASE_URL") or f"sqlite:///{VAR_DIR / 'db.sqlite3'}"
DATABASES = {"default": _database("DATABASE_URL", DATABASE_URL)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Language and time ---------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
# Each language by its own name.
LANGUAGES = [
    ("en", "English"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("fr", "Français"),
    ("it", "Italiano"),
    ("nl", "Nederlands"),
]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SAMESITE = "Lax"  # lets cached pages follow a later choice of language
# Every game has its own catalogue; Django finds those of apps itself.
LOCALE_PATHS = sorted((BASE_DIR / "referee" / "games").glob("*/locale"))
TIME_ZONE = time_zone("TIME_ZONE", default="UTC")

# --- Static files: joined, collected under hashed names, served by the application ------------------------------------

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
        "media-src": ["blob:"],  # the video that keeps a screen awake
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
CSRF_FAILURE_VIEW = "scoring.operating.pages.site.not_from_here"
CSRF_COOKIE_HTTPONLY = True

# --- CORS: the API for pages of other origins -------------------------------------------------------------------------
# Only tokens authorise requests, never cookies: any page may call the API, and none gets its visitor's rights.

CORS_URLS_REGEX = r"^/api/v1/(?!docs/)"
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_METHODS = ["GET", "POST", "PATCH", "DELETE", "OPTIONS"]
CORS_ALLOW_HEADERS = [
    "accept", "accept-language", "authorization", "content-type", "idempotency-key", "if-match", "if-none-match",
    "x-request-id", "last-event-id", "cache-control",
]  # fmt: skip
CORS_EXPOSE_HEADERS = [
    "ETag", "Link", "Location", "Retry-After", "Idempotent-Replayed", "RateLimit", "RateLimit-Policy", "X-Request-Id",
]  # fmt: skip
CORS_PREFLIGHT_MAX_AGE = 24 * 3600

# --- Limits, shared by all processes --------------------------------------------------------------------------------

WRITES_PER_MINUTE = whole("WRITES_PER_MINUTE", default=600)
SECONDS_TO_JUDGE = whole("SECONDS_TO_JUDGE", default=5)
SECONDS_FOR_BODY = whole("SECONDS_FOR_BODY", default=60)
LEAST_BODY_RATE = whole("LEAST_BODY_RATE", default=100)
REQUESTS_OF_ADDRESS = whole("REQUESTS_OF_ADDRESS", default=400)
WRONG_CODES_PER_HOUR = whole("WRONG_CODES_PER_HOUR", default=100)
OPENINGS_PER_HOUR = whole("OPENINGS_PER_HOUR", default=600)
COSTLY_SECONDS_PER_MINUTE = whole("COSTLY_SECONDS_PER_MINUTE", default=20)

# --- Retention -------------------------------------------------------------------------------------------------------

KEEP_TABLES_DAYS = whole("KEEP_TABLES_DAYS", default=0, most=36500)

# --- The API -------------------------------------------------------------------------------------------------------

# Largest request body: the record of a long evening is about 200 KB.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["referee.api.requests.StrictJSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "referee.api.problems.ProblemsAreJSON",
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_THROTTLE_CLASSES": [
        "scoring.operating.api.Openings",
        "scoring.operating.api.ProcessorTime",
    ],
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,
    "DEFAULT_SCHEMA_CLASS": "scoring.tables.api.schema.CallSchema",
    "EXCEPTION_HANDLER": "scoring.tables.api.problems.exception_handler",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Card table referee and scorekeeper",
    "DESCRIPTION": (BASE_DIR / "deploy" / "api.md").read_text(encoding="utf-8").strip(),
    "VERSION": "1",
    "LICENSE": {"name": "MIT", "identifier": "MIT"},
    "CONTACT": {"name": "The operator of this server", **({"url": PUBLIC_URL} if PUBLIC_URL else {})},
    "SERVERS": [{"url": "/", "description": "This server"}],
    "TAGS": [
        {"name": "tables", "description": "Stored tables: opening, recording, correcting, sharing."},
        {"name": "disputes", "description": "Disputes at a table, and their rulings."},
        {"name": "groups", "description": "Groups of people who play together: settings, links, archives."},
        {"name": "people", "description": "The people of a group."},
        {"name": "history", "description": "A group’s tables, evenings, seasons, statistics and what-ifs."},
        {"name": "rulings", "description": "Rulings at a group’s tables, and the group’s law book."},
        {"name": "referee", "description": "Judge whole records; nothing is stored."},
        {"name": "single questions", "description": "One question about a trick, a card or a score."},
        {"name": "games", "description": "Games, house rules and rulebooks."},
        {"name": "decks", "description": "Decks, and the codes of their cards."},
        {"name": "catalogue", "description": "The entry points of the API."},
    ],
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "referee.api.schemas.add_components",
        "referee.api.schema.show_answers",
        "scoring.tables.api.schema.describe_streams",
        "referee.api.schema.bound_numbers",
        "referee.api.schema.describe_properties",
    ],
    # Request bodies have their own components, whatever the method.
    "COMPONENT_SPLIT_PATCH": False,
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,
    "ENUM_NAME_OVERRIDES": {
        "LinkRole": "scoring.models.Role",
        "GroupRole": "scoring.models.GroupRole",
        "KeyScope": "scoring.models.Scope",
        "PersonColour": "scoring.models.Colour",
        "ActOnDispute": "scoring.rulings.api.disputes.ACTS",
        "RulingStatus": "scoring.rulings.api.disputes.RULED",
        "WhoRules": "scoring.tables.api.bodies.WHO_MAY_RULE",
    },
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {
        "deepLinking": True,
        "displayRequestDuration": True,
        "validatorUrl": None,
        # Two slow features are off: the list of all schemas, and highlighting of long examples.
        "defaultModelsExpandDepth": -1,
        "syntaxHighlight": False,
    },
}

# --- Security contact: /.well-known/security.txt ----------------------------------------------------------------------

SECURITY_CONTACT = contacts("SECURITY_CONTACT")
SECURITY_POLICY = next(iter(contacts("SECURITY_POLICY")), "")

# --- Logging: everything to standard error -------------------------------------------------------------------------

LOG_FORMAT = one_of("LOG_FORMAT", ("LINES", "JSON"), default="LINES")
ACCESS_LOG = flag("ACCESS_LOG")
LOG_LEVEL = one_of("LOG_LEVEL", ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"), default="INFO")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "lines": {
            "()": "deploy.logs.LineFormatter",
            "fmt": "{asctime} {levelname} {name}{request}: {message}",
            "style": "{",
        },
        "json": {"()": "deploy.logs.JsonFormatter"},
    },
    "filters": {"request": {"()": "deploy.logs.WithRequestId"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT.lower(), "filters": ["request"]}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        # A 4xx answer is part of the API contract, not an error of the server.
        "django.request": {"level": "ERROR"},
        # Malformed requests are not worth a log line.
        "gunicorn.error": {"handlers": ["stderr"], "level": "ERROR", "propagate": False},
        # With DEBUG, Django would log every value it writes, including hidden choices.
        "django.db.backends": {"level": "INFO"},
    },
}
