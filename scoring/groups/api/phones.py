"""API of whose phone a link to a group is."""

from rest_framework.request import Request
from rest_framework.response import Response

from scoring.groups.acts.group_access import say_who, unsay_who
from scoring.groups.api import answers, bodies
from scoring.groups.api.groups import GroupAPIView
from scoring.tables.api.schema import operation, problems


class PhoneView(GroupAPIView):
    """The caller's link, and the person whose phone it is."""

    members_only = ("PUT", "DELETE")

    @operation("get_phone", "Whose phone this link is", {200: answers.DescribedGroupLink})
    def get(self, request: Request, code: str) -> Response:
        """`person` is the id of a person, or null. `answered` is when the question was answered: with a null `person`,
        the phone only watches.
        """
        return Response(answers.describe_group_link(self.link, self.link))

    @operation(
        "say_whose_phone",
        "Set whose phone this link is",
        {200: answers.DescribedGroupLink, **problems(409)},
        request=bodies.PhoneBody,
    )
    def put(self, request: Request, code: str) -> Response:
        """For members. The phone gets that person’s seat at every table of the group, and the log shows the name. 409
        `has-phone` if another phone is already that person’s; with `takes_over`, that phone is asked again whose it
        is. Seats held as another person are revoked.
        """
        own = say_who(self.group.code, caller=self.caller, **self.read(bodies.PhoneBody))
        return Response(answers.describe_group_link(own, own))

    @operation("forget_whose_phone", "Forget whose phone this link is", {204: None})
    def delete(self, request: Request, code: str) -> Response:
        """For members. The phone’s seats at the tables of the group are revoked."""
        unsay_who(self.group.code, self.caller)
        return Response(status=204)
