"""Imports from the two archives of the pocket, by a list of where each module lies: no folder is searched.

It is `sitecustomize` there, so that it is in place before all else that Python loads.
"""

import marshal
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourcelessFileLoader
from types import CodeType, ModuleType

ARCHIVES = ("/app.pack", "/lib/python314.zip")
LIST = "/app/modules"
Place = tuple[int, bool, str, int, int]
"""In which archive a module lies, whether it is a package, its file, and where its code begins and ends there."""


class Packed(SourcelessFileLoader):
    """Finds and loads what the list names; the rest is looked for as everywhere."""

    places: dict[str, Place] = {}

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        place = cls.places.get(name)
        if place is None:
            return None
        _, is_package, file, _, _ = place
        spec = ModuleSpec(name, cls(name, file), origin=file, is_package=is_package)
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations = [file.rpartition("/")[0]]
        return spec

    def get_code(self, fullname: str) -> CodeType:
        archive, _, _, begin, end = self.places[fullname]
        opened = os.open(ARCHIVES[archive], os.O_RDONLY)
        try:
            code: CodeType = marshal.loads(os.pread(opened, end - begin, begin))
        finally:
            os.close(opened)
        return code


with open(LIST, "rb") as file:
    Packed.places = marshal.loads(file.read())
sys.meta_path.insert(0, Packed)
