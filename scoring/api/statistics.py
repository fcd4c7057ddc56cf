"""What the people of a group have made."""

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from scoring.api import group_schema, schema
from scoring.api.group_access import GroupAPIView
from scoring.api.group_bodies import StatisticsQuery
from scoring.queries.seat_rows import Chosen
from scoring.queries.statistics import PersonStatistics, Statistics, statistics_of
from scoring.services.scores import finish_by_time


class StatisticsView(GroupAPIView):
    """The statistics of a group."""

    looks_back = True

    @group_schema.reads(
        "get_group_statistics",
        "What the people of a group have made",
        schema.json("The statistics", group_schema.STATISTICS),
        StatisticsQuery,
        description=(
            "Finished tables count and, of them, hands that are finished and not void. Tables that went on with other "
            "people are one game: `tables`, `wins`, `rating`, `pairs`, `streaks` and the closest game count its last "
            "table alone, so whoever left before has hands and points of it, and neither won nor lost. A win shared by "
            "several counts a part for each. `game` null is over all games. `rating` is openskill’s BradleyTerryFull "
            "with its defaults, updated once for each game in the order of finishing, null for somebody who has not "
            "played one to its end; `ordinal` is mu less three sigma. `bids` is null where nothing is bid, `revokes` "
            "where the group does not count them. `tricks` are those that are known, null where no record tells any; "
            "`untold` are hands whose record does not tell who won the tricks."
        ),
    )
    def get(self, request: Request, code: str) -> Response:
        query = self.query(StatisticsQuery)
        finish_by_time(self.group.pk)
        found = statistics_of(self.group, chosen_in(query), person=query["person"])
        body = describe_statistics(found, revokes=self.group.counts_revokes)
        return Response(body)


def chosen_in(query: Mapping[str, Any]) -> Chosen:
    """Return what of the life of a group is asked for."""
    return Chosen(game=query["game"], first=query["from"], last=query["to"])


def describe_statistics(found: Statistics, *, revokes: bool) -> dict[str, Any]:
    """Describe the statistics of a group."""
    best, closest = found.records.best_hand, found.records.closest
    return {
        "people": [_person(each, revokes=revokes) for each in found.people],
        "pairs": [
            {"people": [*each.people], "tables": each.tables, "ahead": [*each.ahead],
             "together": each.together, "wins": each.wins}
            for each in found.pairs
        ],
        "streaks": [{"person": each.person, "now": each.now, "best": each.best} for each in found.streaks],
        "records": {
            "best_hand": None if best is None else {
                "person": best.person, "table": best.table, "hand": best.hand, "points": best.points
            },
            "closest_game": None if closest is None else {
                "table": closest.table, "game": closest.game, "margin": closest.margin
            },
            "feats": [
                {"person": each.person, "table": each.table, "game": each.game, "hand": each.hand,
                 "points": each.points, "cards": [*each.cards]}
                for each in found.records.feats
            ],
        },
        "untold": found.untold,
    }  # fmt: skip


def _person(each: PersonStatistics, *, revokes: bool) -> dict[str, Any]:
    bids = None if each.bids is None else dict(zip(("made", "over", "under"), each.bids, strict=True))
    return {
        "person": each.person,
        "name": each.name,
        "game": each.game or None,
        "tables": each.tables,
        "wins": float(each.wins),
        "hands": each.hands,
        "points": each.points,
        "best_hand": each.best_hand,
        "tricks": each.tricks,
        "untold": each.untold,
        "bids": bids,
        "revokes": each.revokes if revokes else None,
        "rating": None if each.rating is None else {**each.rating._asdict(), "ordinal": each.rating.ordinal},
    }
