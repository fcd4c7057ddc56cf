"""Whose phone a link to a group is."""

from rest_framework.request import Request
from rest_framework.response import Response

from scoring.groups.acts.phones import say_who, unsay_who
from scoring.groups.api import answers, bodies
from scoring.groups.api.groups import GroupAPIView
from scoring.tables.api.schema import operation, problems


class PhoneView(GroupAPIView):
    """The link whose token was sent, and whose phone it is."""

    members_only = ("PUT", "DELETE")

    @operation("get_phone", "Whose phone this link is", {200: answers.DescribedGroupLink})
    def get(self, request: Request, code: str) -> Response:
        """`person` is someone of the group, or null. `answered` says since when that is known: with a null `person` the
        phone only watches.
        """
        return Response(answers.describe_group_link(self.link, self.link))

    @operation(
        "say_whose_phone",
        "Say whose phone this link is",
        {200: answers.DescribedGroupLink, **problems(409)},
        request=bodies.PhoneBody,
    )
    def put(self, request: Request, code: str) -> Response:
        """For members. At every table of the group it then has that person’s seat, and the log says the name. 409
        `has-phone` where another link is this person’s: with `takes_over` that one is asked again who it is. Seats
        that it had as someone else end.
        """
        own = say_who(self.group.code, caller=self.caller, **self.read(bodies.PhoneBody))
        return Response(answers.describe_group_link(own, own))

    @operation("forget_whose_phone", "Forget whose phone this link is", {204: None})
    def delete(self, request: Request, code: str) -> Response:
        """For members. Its seats at the tables of the group end."""
        unsay_who(self.group.code, self.caller)
        return Response(status=204)
