"""The product's URLs plus a stream that never ends."""

import asyncio
from collections.abc import AsyncIterator

from django.http import HttpRequest, StreamingHttpResponse
from django.urls import include, path


async def endless(request: HttpRequest) -> StreamingHttpResponse:
    async def pings() -> AsyncIterator[bytes]:
        while True:
            yield b": ping\n\n"
            await asyncio.sleep(0.1)

    return StreamingHttpResponse(pings(), content_type="text/event-stream")


urlpatterns = [path("endless/", endless), path("", include("deploy.urls"))]
