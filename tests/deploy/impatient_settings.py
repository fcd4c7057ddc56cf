"""The product's settings with a server that soon closes idle connections."""

from deploy import server
from deploy.settings import *  # noqa: F403

server.SECONDS_SILENT = 1
