"""The product's settings, and a server that waits long before it kills a worker: who is slow is not stuck."""

from deploy import server
from deploy.settings import *  # noqa: F403

server.SECONDS_TO_STOP = 60
server.Worker.CONFIG_KWARGS["timeout_graceful_shutdown"] = 59
server.SECONDS_TO_ASK = 5
