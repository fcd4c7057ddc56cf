"""Who is calling at a group: only links open one."""

from typing import Any

from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from referee.engine.options import Problem, Refused
from scoring.api.access import BearerAuthentication, RetriedAPIView
from scoring.models import Group, GroupLink
from scoring.services.exceptions import NoSuchPerson, NotMember
from scoring.services.group_access import admit_to_group


class OfGroup(BasePermission):
    """Who has a link to the group; to change it, a member's. The view gets ``group`` and ``link``."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        assert isinstance(view, GroupAPIView)
        if not request.auth:
            raise NotAuthenticated("A group opens with the token of a link to it.")
        view.group, view.link = admit_to_group(view.kwargs["code"], request.META, token=str(request.auth))
        if request.method not in SAFE_METHODS and not view.link.manages:
            raise NotMember
        return True


OF_GROUP = {"code": "The code of the group."}


class GroupAPIView(RetriedAPIView):
    """Something about one group: whoever has a link to it reads, members change."""

    authentication_classes = [BearerAuthentication]
    address = OF_GROUP
    looks_back = True
    kept = "private, no-cache"

    group: Group
    link: GroupLink

    @classmethod
    def needs_token(cls, method: str) -> bool:
        """Return that only links open a group."""
        return True

    def query(self, kind: type[Serializer[Any]]) -> dict[str, Any]:
        """Return what stands in the address; a person that it names is one of the group."""
        values = super().query(kind)
        person = values.get("person")
        if person is not None and not self.group.people.filter(pk=person).exists():
            raise Refused([Problem("/person", "no-such-person", NoSuchPerson().detail)], malformed=True)
        return values

    def get_permissions(self) -> list[BasePermission]:
        method = (self.request.method or "").lower()
        if method not in self.http_method_names or not hasattr(self, method):
            return []  # it is told that there is no such method, whoever it is
        return [OfGroup()]
