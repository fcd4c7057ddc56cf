"""Why a backup was not made, or not put back."""


class BackupRefused(Exception):  # noqa: N818 - it is the answer to a request
    """Nothing was changed; the text says why, in a sentence for whoever runs the service."""
