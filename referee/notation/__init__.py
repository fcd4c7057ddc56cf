"""Records as text that card players can read, one line per trick, and that can be read back.

``write_text`` and ``read_text`` are exact inverses, for every record of every game; so are ``write_cells`` and
``read_cells``, for a spreadsheet. ``write_sheet`` writes the score sheet of a record. ``docs/reference/notation.md``
describes the format.

PBN, the usual notation, covers bridge alone. There is no parser generator: the core needs nothing but Python, and each
event kind declares its own line (``Line``), so games bring theirs.
"""

from referee.notation.cells import PROGRAMS, Dialect, for_people, read_any_form, read_cells, write_cells, write_csv
from referee.notation.read import Reading, read_placed, read_text
from referee.notation.write import SHEET_HEADING, check_sheet, split_sheet, write_sheet, write_text

__all__ = [
    "PROGRAMS", "SHEET_HEADING", "Dialect", "Reading", "check_sheet", "for_people", "read_any_form", "read_cells",
    "read_placed", "read_text", "split_sheet", "write_cells", "write_csv", "write_sheet", "write_text",
]  # fmt: skip
