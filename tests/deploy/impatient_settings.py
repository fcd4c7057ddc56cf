"""The product's settings, and a server that soon closes a line over which no request comes."""

from deploy import server
from deploy.settings import *  # noqa: F403

server.SECONDS_SILENT = 1
