"""`{% load numbers %}`: points and totals with their signs."""

from django import template

from scoring.pages.show import numbers

register = template.Library()


@register.filter
def number(value: object) -> object:
    """Return a number as people read it; what is none stays as it is."""
    return numbers.number(value) if isinstance(value, int) else value


@register.filter
def signed(value: int) -> str:
    """Return a number that is added to others."""
    return numbers.signed(value)
