"""The distribution key of each table's rows across nodes."""

BY_TABLE = {
    "table": "id",
    **dict.fromkeys(
        ["tableevent", "handsheet", "dealthand", "secretchoice", "link", "donerequest", "devicetable", "dispute"],
        "table_id",
    ),
    "seatedperson": "table_id",
}
BY_GROUP = {
    "group": "id",
    **dict.fromkeys(["grouplink", "grouprequest", "groupimport", "recoverycode", "devicegroup"], "group_id"),
    **dict.fromkeys(["person", "precedent", "scoremark", "seatscore"], "group_id"),
}
IN_ONE_PLACE = {"device", "devicereading", "tally", "operatoract", "shortlived"}
KEYS = BY_TABLE | BY_GROUP
