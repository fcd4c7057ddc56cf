"""The words that requests and answers use: codes, cards and numbers; made of the API’s schema by `make clients`."""

from __future__ import annotations

from typing import Literal, TypeAlias


LinkRole: TypeAlias = Literal["scorekeeper", "player", "spectator"]


WhoRules: TypeAlias = Literal["scorekeeper", "majority", "neutral"]


Seat: TypeAlias = int


Card: TypeAlias = str


Suit: TypeAlias = str


GameId: TypeAlias = Literal["ace-trump", "ransom-trump", "wildcat-chicane", "american-deuce", "ace-pit", "oh-hell"]


Phase: TypeAlias = Literal["trump", "bidding", "ransom", "ruling-card", "suits", "turn-up", "play", "finished", "void"]


Certainty: TypeAlias = Literal["seen", "proved", "joint"]


Verdict: TypeAlias = Literal["accepted", "irregular", "impossible"]


RefusingVerdict: TypeAlias = Literal["irregular", "impossible"]


IrregularityCode: TypeAlias = Literal[
    "out-of-turn", "no-combination", "passed", "riot-led", "does-not-beat", "king-elsewhere", "denied-deuce",
    "not-lowest", "no-suit-called", "excuse-led", "trump-led", "forbidden-bid", "revoke", "joint-revoke",
]


RemedyCode: TypeAlias = Literal[
    "bridge", "choose-again", "claim-deuce", "claim-rest", "correct", "equity", "hand-zero", "note", "penalty",
    "redeal", "redo-exchange", "stand", "swap-back", "take-back", "take-bid-back", "warn",
]


ProblemCode: TypeAlias = Literal[
    "bad-request", "bad-query", "unknown-parameter", "parse-error", "not-json", "not-an-object", "duplicate-key",
    "bad-number", "bad-text", "not-utf-8", "too-deep", "wrong-type", "missing-key", "unknown-key", "unknown-event",
    "bad-notation", "bad-value", "bad-format", "unknown-game", "unknown-question", "unknown-situation", "disproved",
    "unknown-option", "bad-option", "option-conflict", "bad-players", "same-name", "bad-end", "bad-known",
    "too-many-events", "too-many-hands", "too-many-notes", "too-many-settlements", "too-much-extra", "bad-log",
    "other-score", "key-reused", "moved-on", "nothing-to-undo", "no-such-event", "already-amended",
    "later-event-not-taken", "not-your-seat", "not-hidden", "hidden-choice", "no-such-dispute", "no-such-clause",
    "dispute-decided", "not-the-referee", "table-paused", "no-remedy-left", "last-scorekeeper", "too-many-links",
    "hand-running", "already-continued", "bad-archive", "last-member", "sat-together", "already-merged", "not-allowed",
    "not-authenticated", "authentication-failed", "permission-denied", "other-site", "no-such-table", "no-such-link",
    "no-such-group", "no-such-precedent", "no-such-person", "no-such-recovery-code", "no-such-hand", "no-such-file",
    "no-play-yet", "unknown-deck", "no-slash", "not-found", "method-not-allowed", "not-acceptable",
    "unsupported-media-type", "too-large", "too-slow", "too-costly", "throttled", "server-error", "not-now",
    "hand-finished", "wrong-phase", "no-such-seat", "wrong-count", "not-in-deck", "already-played", "too-many-cards",
    "not-in-hand", "bad-suit", "bad-result", "bad-rules", "bad-bid", "out-of-turn", "no-combination", "passed",
    "riot-led", "does-not-beat", "king-elsewhere", "denied-deuce", "not-lowest", "no-suit-called", "excuse-led",
    "trump-led", "forbidden-bid", "revoke",
]


ReasonCode: TypeAlias = Literal[
    "accepted", "ace-laid", "ace-laid-without-points", "add-card", "again", "agree-on-trump", "all-follow",
    "all-passed", "already-aside", "already-played", "already-unseen", "any-lead", "aside-already", "audit-by-result",
    "audit-clean", "audit-found", "audit-so-far-clean", "audit-so-far-found", "back", "bad-bid", "bad-result",
    "bad-result-cards", "bad-result-fewer", "bad-result-leader", "bad-result-left", "bad-result-open-trick",
    "bad-result-points", "bad-result-points-few", "bad-result-points-hidden", "bad-result-points-made",
    "bad-result-points-needed", "bad-result-points-never", "bad-result-responder", "bad-result-seats",
    "bad-result-single", "bad-result-sum", "bad-result-tricks", "bad-result-winner", "bad-rules", "bad-seating",
    "bad-suit", "bad-transfer-more", "bad-transfer-none", "bad-transfer-self", "bad-trump", "beats", "beats-deck",
    "beats-lower", "beats-no-combination", "beats-suit", "beats-trump-colour", "best-answer-at-all",
    "best-answer-drawn", "best-answer-in-hand", "bid-already", "bid-difference", "bid-exact", "bid-exact-square",
    "bid-exact-ten", "bid-far-off", "bid-made", "bid-missed", "bid-missed-nothing", "bid-off-by", "bid-square",
    "bid-tricks-only", "bids-first", "bids-missing", "binding", "by-number", "cannot-be-trump", "cannot-have-won",
    "cannot-win-next", "cannot-win-with-trump", "cards-left", "cards-left-quick", "cards-not-in-pack", "cards-unjudged",
    "cards-unseen", "change", "claim", "claims-trump-only", "claims-void", "cleared-all-drawn", "cleared-combination",
    "cleared-drawn-blindly", "cleared-entered", "cleared-fits", "cleared-followed", "cleared-followed-suit",
    "cleared-free", "cleared-gave-two", "cleared-had-no-two", "cleared-had-none", "cleared-in-turn", "cleared-laid",
    "cleared-lead", "cleared-led", "cleared-led-it", "cleared-lowest", "cleared-no-bid", "cleared-no-exchange",
    "cleared-no-two-given", "cleared-nobody-dropped", "cleared-not-skipped", "cleared-one-card",
    "cleared-one-card-answer", "cleared-only-trumps", "cleared-other-led", "cleared-own-lead", "cleared-passed",
    "cleared-set", "cleared-trick-over", "cleared-turn", "composed", "condoned", "constipated-king", "counts",
    "counts-as-led", "dealt", "dealt-otherwise", "dealt-tide", "dealt-turned", "denied-deuce", "denied-deuce-given",
    "denied-deuce-held", "denied-deuce-open", "deuce-dropped", "disproved", "does-not-beat", "does-not-beat-deck",
    "does-not-beat-lower", "does-not-beat-suit", "does-not-beat-trump-colour", "draw-now", "draws", "earlier-bird",
    "earlier-of-equals", "earlier-pawn", "early-warning", "equity-at-end", "equity-enough", "equity-no-tricks",
    "equity-owed", "equity-unknown", "equity-unseen", "established", "exchange-late", "exchange-unseen", "excuse-led",
    "first-counts", "forbidden-bid", "game-over", "game-over-rules", "give-back", "give-up", "guide-by-log",
    "guide-no-act", "guide-no-record", "guide-nothing-there", "guide-too-late", "hand-finished", "hand-running",
    "hands-unknown", "hands-unknown-cards", "hands-unknown-exchange", "has-no-trump", "hiding-stays", "higher-symbol",
    "highest-follower", "highest-of-all", "highest-of-called", "highest-trump", "in-other-hand", "in-time",
    "in-time-partners", "joint-revoke", "joint-revoke-nowhere", "joint-revoke-one-nowhere", "joint-revoke-one-room",
    "joint-revoke-room", "king-elsewhere", "king-in-cabinet", "king-not-held", "king-not-named", "known-beaten-no",
    "known-beaten-yes", "known-by-result", "known-first-card-no", "known-first-card-yes", "known-first-trick-over-no",
    "known-first-trick-over-yes", "known-hand-over-no", "known-hand-over-yes", "known-holds-two-no",
    "known-holds-two-yes", "known-last-trick-no", "known-last-trick-yes", "known-next-bid-no", "known-next-bid-yes",
    "known-next-dealt-no", "known-next-dealt-yes", "known-next-led-no", "known-next-led-yes", "known-next-played-no",
    "known-next-played-yes", "known-next-scored-no", "known-next-scored-yes", "known-partners-no", "known-partners-yes",
    "known-played-on-no", "known-played-on-yes", "known-seat", "known-trick", "last-card", "last-of-turned-suit",
    "later-of-equals", "lay-ransom", "lay-ruling-card", "leads", "leads-in-number", "leads-riot", "logged",
    "look-it-up", "may-ask", "may-drop-deuce", "may-not-excuse-led", "may-not-revoke", "may-not-trump-led",
    "may-pass-lead", "must-follow", "must-follow-or-excuse", "name-highest-suit", "name-second-suit", "name-suit",
    "name-third-suit", "name-trump-first", "named-denied-deuce", "named-denied-deuce-given", "named-denied-deuce-held",
    "named-denied-deuce-open", "named-not-lowest", "named-proved-denied-deuce", "named-proved-not-lowest",
    "named-since-denied-deuce", "named-since-denied-deuce-held", "named-since-not-lowest", "names-no-suit",
    "needed-before", "no", "no-ace-for-trump", "no-answer-in-hand", "no-better-answer", "no-better-in-hand",
    "no-card-left", "no-claims", "no-combination", "no-combination-asked", "no-combination-beats",
    "no-combination-riot", "no-counting", "no-exchange", "no-ransom", "no-ruling-card", "no-set", "no-set-free",
    "no-set-pair", "no-set-without-points", "no-such-seat", "no-such-suit", "no-suit-called",
    "no-suit-called-after-excuse", "no-trump", "nobody-bids", "nobody-dropped", "none-excuse-led", "none-trump-led",
    "not-dealt", "not-drawn-either", "not-in-deck", "not-in-hand", "not-in-own-hand", "not-lowest", "not-of-this-game",
    "not-offered", "not-on-ransom", "not-passed", "nothing-to-claim", "nothing-to-follow", "only-lead-names",
    "other-kind", "other-number", "other-number-led", "other-number-led-riot", "other-number-riot", "other-pack",
    "other-points", "other-winner", "other-winner-named", "out-of-turn", "own-trumps", "partly-by-result",
    "partners-stay", "pass-few", "pass-last", "pass-leader", "passed", "pay", "penalty", "penalty-card", "pick-up",
    "proved-denied-deuce", "proved-king-cabinet", "proved-king-elsewhere", "proved-not-lowest", "proved-revoke",
    "proved-revoke-called", "proved-riot-led", "proved-trump-led", "put-right", "put-right-early", "put-right-no-two",
    "put-right-nothing", "put-right-twice", "ransom-won", "read", "read-bottom", "read-top", "recorded-winner",
    "recorded-winner-half", "redo", "remedy-agree", "remedy-at-end", "remedy-next-trick", "remedy-next-trick-side",
    "remedy-nobody", "remedy-points-hidden", "remedy-take-back", "remedy-unseen", "remedy-which-trick",
    "response-first", "rest-of-hand", "result-only", "result-only-points", "result-only-round", "revoke", "riot-beats",
    "riot-beats-five", "riot-led", "riot-led-never", "riot-lies", "riot-of-equal-rank", "riot-too-weak", "round-won",
    "rules-mid-hand", "seated-otherwise", "set", "set-without-points", "show-again", "since-denied-deuce",
    "since-denied-deuce-held", "since-king-elsewhere", "since-king-in-cabinet", "since-king-not-held",
    "since-king-not-named", "since-not-lowest", "size-unknown", "stands", "step-fours-left", "step-gave",
    "step-gave-back", "step-king-drops", "step-king-said", "step-led", "step-lowest", "step-no-deuce",
    "step-nobody-said", "step-owed", "step-showed", "step-since", "suit-named", "suit-not-shown", "swap",
    "there-is-no-trump", "there-is-trump", "throw-away", "throw-away-without-points", "tide-unknown", "too-late",
    "too-many-cards", "too-many-high", "too-many-numbers", "too-many-to-a-trick", "trick-first", "trick-without-trump",
    "tricks", "tricks-without-cards", "tricks-without-cards-points", "trump-by-cards", "trump-by-ransom",
    "trump-carried", "trump-first", "trump-has-changed", "trump-in-order", "trump-is-known", "trump-is-settled",
    "trump-led", "trump-made", "trump-not-recorded", "trump-to-be-named", "trump-unknown", "trump-unknown-carried",
    "trump-unknown-play", "trump-unknown-turned", "turn-card-up", "turn-up-late", "turn-up-no-suit",
    "turn-up-other-suit", "turn-up-suit-entered", "turned-card-entered", "turned-card-played", "turned-up",
    "turned-up-suit", "void", "waits", "warning", "went-out", "who-names-trump", "winner-first", "wins-anyway",
    "withdrawn", "withdrawn-no-two", "wrong-count", "wrong-count-exchange", "wrong-count-lead", "wrong-count-none",
    "wrong-count-one", "wrong-count-response", "wrong-phase", "yes", "zero-bid", "zero-brings-nothing",
]


PlainValue: TypeAlias = bool | int | str | None


Seat1: TypeAlias = str
