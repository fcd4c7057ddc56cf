"""The product's settings with a server that waits long before killing a worker, so that a slow one is not taken for
stuck.
"""

from deploy import server
from deploy.settings import *  # noqa: F403

server.SECONDS_TO_STOP = 60
server.Worker.CONFIG_KWARGS["timeout_graceful_shutdown"] = 59
server.SECONDS_TO_ASK = 5
