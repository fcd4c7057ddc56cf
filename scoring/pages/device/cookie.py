"""The cookie of this device: it says which one it is, and nothing else. What the device has lies in the database."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from scoring.models import Table
from scoring.services.devices import cookie_for, new_secret, plain_name, put_on_device, secrets_in

SECONDS = 400 * 24 * 3600
"""As long as browsers keep any cookie; every visit begins it anew."""


def remember(request: HttpRequest, response: HttpResponse, row: Table, token: str = "") -> None:
    """Put a table on this device, with the link of a token or by its code alone."""
    put_on_device(keep_device(request, response), row, token)


def keep_device(request: HttpRequest, response: HttpResponse) -> str:
    """Let this device be known from now on, and return its secret."""
    secret = next(iter(secrets_in(request.COOKIES)), "") or new_secret()
    _set(request, response, secret)
    return secret


def renew(request: HttpRequest, response: HttpResponse, *, greet: bool = False) -> None:
    """Let this device be known for another while; ``greet``: also one that has no cookie yet."""
    for secret in secrets_in(request.COOKIES) or ([new_secret()] if greet else []):
        _set(request, response, secret)


def forget_device(request: HttpRequest, response: HttpResponse) -> None:
    """Let this device be known no more."""
    for secret in secrets_in(request.COOKIES):
        for name in {cookie_for(secret)[0], plain_name(secret)} & {*request.COOKIES}:
            response.delete_cookie(name, samesite="Lax")


def _set(request: HttpRequest, response: HttpResponse, secret: str) -> None:
    name, signed = cookie_for(secret)
    response.set_cookie(
        name, signed, max_age=SECONDS, httponly=True, samesite="Lax", secure=bool(settings.COOKIE_PREFIX)
    )
    if plain_name(secret) != name and plain_name(secret) in request.COOKIES:
        response.delete_cookie(plain_name(secret), samesite="Lax")
