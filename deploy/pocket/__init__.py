"""The pocket: the whole product run by Python in a phone's browser, without a server or a network."""

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
    "media-src blob:; connect-src 'self'; worker-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'self'"
)
"""Content policy of the pocket's own documents and worker, the only ones allowed to compile WebAssembly."""
