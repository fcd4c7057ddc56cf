"""A client for the API of the card table: tables, events, and the referee's answers, typed."""

from card_table_client.client import CardTable, Table
from card_table_client.problems import Irregular, MovedOn, Refused

__all__ = ["CardTable", "Irregular", "MovedOn", "Refused", "Table"]
