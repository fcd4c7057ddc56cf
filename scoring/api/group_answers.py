"""What the API says of groups, their people and their links."""

from typing import Any

from django.urls import reverse
from rest_framework.request import Request

from scoring.api.answers import described_token
from scoring.api.group_schema import DECIDED, LINKS_OF_GROUP
from scoring.models import Group, GroupLink, Person
from scoring.models.fields import written
from scoring.queries.groups import people_of
from scoring.services.groups import NewGroupLink


def describe_group(group: Group, own: GroupLink) -> dict[str, Any]:
    """Describe a group with its people."""
    return {
        "code": group.code,
        "name": group.name,
        "version": group.version,
        "created": written(group.created),
        "counts_revokes": group.counts_revokes,
        "shares_rulings": group.shares_rulings,
        "time_zone": group.zone,
        "people": [describe_person(person) for person in people_of(group)],
        "role": own.role,
        "links": {
            "self": reverse("group", args=[group.code]),
            **{part: reverse(f"group-{part}", args=[group.code]) for part in (*LINKS_OF_GROUP, *DECIDED)},
            "page": reverse("scoring:group", args=[group.code]),
        },
    }


def describe_person(person: Person) -> dict[str, object]:
    """Describe somebody of a group."""
    return {
        "id": person.pk,
        "name": person.name,
        "aliases": list(person.aliases),
        "colour": person.colour or None,
        "merged_into": person.merged_into_id,
        "distinct_from": list(person.distinct_from),
    }


def describe_group_link(link: GroupLink, own: GroupLink) -> dict[str, object]:
    """Describe a link to a group; its token is not known here."""
    return {
        "id": link.pk,
        "role": link.role,
        "name": link.name,
        "created": written(link.created),
        "own": link.pk == own.pk,
    }


def describe_new_group_link(request: Request, made: NewGroupLink, own: GroupLink) -> dict[str, object]:
    """Describe a link just made, with its token and the address that opens the group on a phone.

    The token stands behind the hash, which browsers keep to themselves: no log of any server has it.
    """
    return describe_group_link(made.link, own) | describe_token(request, made)


def describe_token(request: Request, made: NewGroupLink) -> dict[str, str | None]:
    """Describe the token of a link to a group, and the address that it opens."""
    return described_token(request, made.token, reverse("scoring:group", args=[made.link.group.code]))
