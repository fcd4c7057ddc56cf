"""What whoever runs an installation has done to it by hand."""

from typing import Any, NoReturn

from django.db import models


class OperatorAct(models.Model):
    """One act of an operator: when, who, what, and on what. It holds no names of players and no tokens.

    Rows are added, never changed and never taken away.
    """

    at = models.DateTimeField(auto_now_add=True)
    who = models.CharField(max_length=80)
    what = models.CharField(max_length=40)
    on = models.CharField(max_length=80, blank=True, default="")

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S} {self.who}: {self.what} {self.on}".rstrip()

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("What an operator has done stays as it was written.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("What an operator has done stays written.")
