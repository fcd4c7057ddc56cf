"""Every golden record that is made by dealing; those written by hand need no entry."""

from tests.golden.french import ACE_PIT, AMERICAN_DEUCE
from tests.golden.tricks import ACE_TRUMP, RANSOM_TRUMP, WILDCAT
from tests.golden.variant import Variant

VARIANTS: list[Variant] = [*ACE_TRUMP, *RANSOM_TRUMP, *WILDCAT, *AMERICAN_DEUCE, *ACE_PIT]
