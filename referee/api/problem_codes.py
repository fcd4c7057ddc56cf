"""Every code that a problem of the API can carry, with the title that explains it.

The code is also the anchor on the page of problems, so it never changes its meaning.
Those of events stand with the sentences of the referee and its games.
"""

from referee.engine.sentences import table

SENTENCES = {
    400: "The request could not be understood.",
    404: "Nothing is at this address. The addresses are listed at /api/v1/docs/.",
    413: "The body is larger than this service takes.",
    500: "The service made a mistake; it has been logged.",
}
"""What an answer says that no view made, by its status."""

REQUESTS = {
    # 400: the body cannot be read
    "bad-request": "The request could not be understood",
    "bad-query": "A parameter of the query is not what it can be",
    "unknown-parameter": "The address takes no such parameter",
    "parse-error": "A header of the request could not be read",
    "not-json": "The body is not JSON",
    "not-an-object": "The body is not a JSON object",
    "duplicate-key": "A key stands twice in one object, or a parameter in the address",
    "bad-number": "Not a number that JSON or a computer can hold",
    "bad-text": "A text holds NUL or half a surrogate pair",
    "not-utf-8": "The text is not in UTF-8",
    "too-deep": "Lists and objects are nested too deeply",
    # 400: a part of it has the wrong shape
    "wrong-type": "A value is of the wrong type",
    "missing-key": "A key is missing",
    "unknown-key": "A key is unknown here",
    "unknown-event": "There is no such type of event",
    "bad-notation": "A line of the text is not in the notation",
    # 422: well-formed, and yet it cannot be
    "bad-value": "A value cannot be",
    "bad-format": "The format of the record is unknown",
    "unknown-game": "There is no such game",
    "unknown-question": "The game does not answer this question",
    "unknown-situation": "The game has no guide for this situation",
    "disproved": "The record disproves the accusation",
    "unknown-option": "The game has no such option",
    "bad-option": "The option has no such value",
    "option-conflict": "Two choices exclude each other",
    "bad-players": "The game is not played by so many",
    "same-name": "Two seats, or two people, have names that look alike",
    "bad-end": "The game cannot end like this",
    "bad-known": "A known hand cannot have been dealt",
    "too-many-events": "The record, or a hand of it, has too many events",
    "too-many-hands": "The record has too many hands",
    "too-many-notes": "A hand has too many notes",
    "too-many-settlements": "A hand has too many penalties and transfers",
    "too-much-extra": "The keys of a record’s own hold too much",
    "bad-log": "This is no table that was taken away in full",
    "other-score": "The scores noted do not agree with the events",
    # writing to a table
    "key-reused": "The Idempotency-Key belongs to another request",
    "moved-on": "It has changed in the meantime",
    "nothing-to-undo": "There is no event to take back",
    "no-such-event": "The log has no such event",
    "already-amended": "The event was amended before",
    "later-event-not-taken": "A later event would no longer be taken",
    "not-your-seat": "A player’s link does only what this player does",
    "not-hidden": "This is no secret choice that the seat has to make now",
    "hidden-choice": "A secret choice is sent by itself",
    # disputes
    "no-such-dispute": "The table has no such dispute",
    "no-such-clause": "No rulebook here has this clause",
    "dispute-decided": "The dispute is decided",
    "not-the-referee": "Somebody else decides disputes at this table",
    "table-paused": "The hand waits for the referee",
    "no-remedy-left": "The ruling has no remedy left to carry out",
    # sharing a table
    "last-scorekeeper": "Somebody has to be able to keep the score",
    "too-many-links": "The table has too many links",
    "hand-running": "A hand is running",
    "already-continued": "The table is continued at another one",
    # groups
    "bad-archive": "This is no archive of a group",
    "last-member": "A group keeps one member",
    "sat-together": "Both sat at one table, so they are two people",
    "already-merged": "The person was merged before",
    "not-allowed": "This takes a member of the group",
    # the others
    "not-authenticated": "A token is needed",
    "authentication-failed": "The token is not valid",
    "permission-denied": "The token does not allow this",
    "other-site": "A page of another site sent this",
    "no-such-table": "There is no such table, or it is private",
    "no-such-link": "There is no such link",
    "no-such-group": "There is no such group, or the token does not open it",
    "no-such-precedent": "The group has decided no such thing",
    "no-such-person": "There is no such person in the group",
    "no-such-recovery-code": "There is no such recovery code",
    "no-such-hand": "The table has no such hand",
    "no-such-file": "There is no such file of a group",
    "no-play-yet": "The game is not over, or its points are hidden",
    "unknown-deck": "There is no such deck",
    "no-slash": "The address ends with a slash",
    "not-found": "Nothing is at this address",
    "method-not-allowed": "This address does not take this method",
    "not-acceptable": "The answer does not come in the format asked for",
    "unsupported-media-type": "The body is of a type that is not taken here",
    "too-large": "The body is too large",
    "too-slow": "The body took too long to come",
    "too-costly": "Judging the record takes too long",
    "throttled": "Too many requests",
    "server-error": "The service made a mistake",
    "not-now": "The service cannot do this now; it can a little later",
}
"""What can be wrong with a request."""

IMPOSSIBLE = table("impossible")
"""Why an event cannot have happened."""

IRREGULAR = table("irregular")
"""Which rule an event breaks that can have happened all the same."""

TITLES = {**REQUESTS, **IMPOSSIBLE, **IRREGULAR}
