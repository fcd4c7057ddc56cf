"""The people of a group."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.api.group_access import OF_GROUP, GroupAPIView
from scoring.api.group_answers import DescribedPerson, People, describe_person
from scoring.api.group_bodies import MergeBody, NewPersonBody, PersonBody
from scoring.api.headers import group_caller_of
from scoring.api.paging import PageQuery, paged, part_of
from scoring.api.schema import problems
from scoring.queries.groups import people_of
from scoring.services.forgetting import forget_person
from scoring.services.people import add_person, change_person, merge_people

OF_PERSON = OF_GROUP | {"number": "The id of the person."}


class PeopleView(GroupAPIView):
    """Everybody in a group."""

    @extend_schema(
        operation_id="list_people",
        summary="Everybody in a group",
        description="`merged_into` names the person as whom somebody counts; `aliases` are other spellings of a name.",
        parameters=[PageQuery],
        responses={200: People, **problems(422)},
    )
    def get(self, request: Request, code: str) -> Response:
        query = self.query(PageQuery)
        part = part_of(people_of(self.group), lambda person: (person.pk,), query)
        return paged(request, {"people": [describe_person(person) for person in part.items]}, part.following)

    @extend_schema(
        operation_id="add_person",
        summary="Add somebody",
        description="For members. Each name and each spelling belongs to one person.",
        request=NewPersonBody,
        responses={201: DescribedPerson},
    )
    def post(self, request: Request, code: str) -> Response:
        read = self.read(NewPersonBody)
        read["colour"] = read["colour"] or ""
        person = add_person(self.group.code, caller=group_caller_of(request, self.link), **read)
        return Response(describe_person(person), status=201)


class PersonView(GroupAPIView):
    """Somebody in a group."""

    address = OF_PERSON

    @extend_schema(
        operation_id="change_person",
        summary="Change a name, its spellings or the colour",
        description="A new name stands at every table at once; scores stay.",
        request=PersonBody,
        responses={200: DescribedPerson},
    )
    def patch(self, request: Request, code: str, number: int) -> Response:
        changes = {key: value for key, value in self.read(PersonBody).items() if key in request.data}
        if "colour" in changes:
            changes["colour"] = changes["colour"] or ""
        person = change_person(self.group.code, number, changes, group_caller_of(request, self.link))
        return Response(describe_person(person))

    @extend_schema(
        operation_id="forget_person",
        summary="Forget somebody: the name goes everywhere, scores stay",
        description=(
            "At the tables a seat takes the place of the name; in notes, reasons and names of links it is left out. "
            "Who was merged into this person is forgotten, too. Nobody can bring it back."
        ),
        responses={204: None},
    )
    def delete(self, request: Request, code: str, number: int) -> Response:
        forget_person(self.group.code, number, group_caller_of(request, self.link))
        return Response(status=204)


class MergeView(GroupAPIView):
    """Two names that turn out to be one person, or two after all."""

    address = OF_PERSON

    @extend_schema(
        operation_id="merge_people",
        summary="Let somebody count as another person, or part them again",
        request=MergeBody,
        responses={200: DescribedPerson, **problems(409)},
    )
    def post(self, request: Request, code: str, number: int) -> Response:
        into = self.read(MergeBody)["into"]
        person = merge_people(self.group.code, number, into, group_caller_of(request, self.link))
        return Response(describe_person(person))
