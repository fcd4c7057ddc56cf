"""What requests and answers hold; made of the API’s schema by `make clients`."""

from card_table_client.shapes.codes import *
from card_table_client.shapes.events import *
from card_table_client.shapes.rulings import *
from card_table_client.shapes.asks import *
from card_table_client.shapes.tables import *
