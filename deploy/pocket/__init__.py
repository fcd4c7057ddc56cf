"""The product in a phone: the same application, run by Python in the browser, without a server or a network."""

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
    "media-src blob:; connect-src 'self'; worker-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'self'"
)
"""The content policy of the pocket's own documents and its worker, which alone may compile WebAssembly."""
