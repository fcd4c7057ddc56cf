"""Who may do what at which address: the matrix that ``test_matrix_of_rights`` compares with what is answered.

Each class of rights has a letter for every role of ``roles.ROLES``, first at a public table, then at a private one: it
opens, a token is asked for, it is refused, or it is hidden (there is no such thing).
"""

from dataclasses import dataclass

from tests.scoring.roles import ASKED, HIDDEN, OPENS, REFUSED

LETTERS = {"o": OPENS, "a": ASKED, "r": REFUSED, "h": HIDDEN}


@dataclass(frozen=True)
class Rights:
    """What becomes of whoever comes, by role; ``who`` says it in words."""

    who: str
    letters: str

    def expected(self, *, private: bool) -> list[str]:
        """Return the outcomes by role at a public or a private table."""
        return [LETTERS[letter] for letter in self.letters.split("|")[private].split()]

    def on_page(self, instead: str) -> "Rights":
        """Return the same on a page, where nobody is asked for a token: it is refused or hidden instead."""
        return Rights(f"{self.who} The same on a page.", self.letters.replace("a", instead))


EVERYBODY = Rights("Whoever comes; what is asked for may still be wrong.", "o o o o o o o o o | o o o o o o o o o")
LOOKS = Rights(
    "Whoever has the code of a public table; at a private one who has a link to it or to its group.",
    "o o o o o o o o o | h h o o o h o o h",
)
MEMBER = Rights(
    "A member of the group; a viewer is refused, and for all others there is no such group.",
    "a h h h h h r o h | a h h h h h r o h",
)
MEMBER_PAGE = MEMBER.on_page("h")
VIEWER = Rights("Who has a link to the group.", "a h h h h h o o h | a h h h h h o o h")
VIEWER_PAGE = VIEWER.on_page("h")
KEEPS = Rights("Who keeps the score of the table.", "a a r r o a r r a | h h r r o h r r h")
KEEPS_PAGE = KEEPS.on_page("r")
RECORDS = Rights("Who records at the table: players, too.", "a a r o o a r r a | h h r o o h r r h")
RECORDS_PAGE = RECORDS.on_page("r")
TOKEN = Rights(
    "Nobody without a code or the token of a link, which is sent along.",
    "h h h h h h h h h | h h h h h h h h h",
)
OPENS_TABLE = Rights(
    "Whoever brings no token, or one that stands; a viewer opens no table of the group.",
    "o a o o o a r o o | o a o o o a r o o",
)
RULES = Rights("Who has a link to the table: it may have been asked to rule.", "a a o o o a r r a | h h o o o h r r h")
RULES_PAGE = RULES.on_page("r")
PLAYS = Rights("Who plays at the table.", "a a r o r a r r a | h h r o r h r r h")
PLAYS_PAGE = PLAYS.on_page("r")
GIVES = Rights(
    "Who keeps the score and brings a link to the group: nobody here has both.",
    "r r r r h r r r r | h h r r h h r r h",
)
WATCHES = Rights("Who may look; a token that opens nothing here is told so.", "o a o o o a o o a | h h o o o h o o h")

ADDRESSES: dict[Rights, str] = {
    EVERYBODY: """
        api post: group-import group-recover groups table-import
        page get: ask choose-game clause device home import join manifest new-group new-table offline privacy-page
        page get: question reading recover-group rulebook take-device teach worker
        page post: forget forget-device forget-group import language move-device new-group new-table recover-group
        page get: import-group rulings
        page post: import-group
    """,
    LOOKS: """
        page get: amend amend-entry ask-here ask-here-about dictated export log picture points preview replay
        page get: screen share table table-settings what-if
        page post: amend-entry join
        page get: printed
        page get: dispute disputes guide table-rules
    """,
    MEMBER: """
        api get: group-archive
        api post: group-adopt group-keep-score group-links group-merge group-people group-recovery
        api patch: group group-link group-person
        api delete: group group-link group-person group-recovery
        api post: group-precedents
        api patch: group-precedent
        api delete: group-precedent
    """,
    MEMBER_PAGE: """
        page post: delete-group distinct-people forget-person group-links group-recovery keep-score merge-people
        page post: people person revoke-group-link
        page post: precedent precedents
    """,
    VIEWER: """
        api get: group group-evenings group-hands group-links group-pair group-people group-ratings group-recovery
        api get: group-season group-statistics group-tables
        live get: group-stream
        api get: group-file
        api get: group-precedents group-rulings group-what-if
    """,
    VIEWER_PAGE: """
        page get: evening evening-picture group group-hands group-links group-ratings group-settings group-statistics
        page get: history pair-statistics people person-statistics
        page post: group-settings
        page get: export-group
        page get: group-rulings precedents season-what-if
    """,
    KEEPS: """
        api get: table-links table-readings
        api post: dispute-remedy table-amendments table-continue table-links table-readings table-undo
        api patch: table table-link
        api delete: table table-link table-reading
        api post: table-guide
    """,
    KEEPS_PAGE: """
        page get: continue
        page post: continue delete-table make-link make-reading privacy revoke-link revoke-reading table-names undo
        page post: guide-carry-out table-referee table-rules
    """,
    RECORDS: """
        api post: dispute-agreement dispute-pause dispute-withdrawal table-disputes table-events
    """,
    RECORDS_PAGE: """
        page post: record settle
        page post: disputes
    """,
    TOKEN: """
        page get: find
        page post: join-group reading take-device
    """,
    OPENS_TABLE: """
        api post: tables
    """,
    RULES: """
        api post: dispute-ruling
    """,
    RULES_PAGE: """
        page post: dispute-act
    """,
    PLAYS: """
        api post: table-confirmation
    """,
    PLAYS_PAGE: """
        page post: confirm
    """,
    GIVES: """
        page post: give-table
    """,
    WATCHES: """
        api get: hand-audit table table-asks table-confirmation table-dispute table-disputes table-events
        api get: table-record table-what-if table-bgstats table-guide table-guides
        live get: table-stream
    """,
}
