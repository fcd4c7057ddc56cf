"""Importer for the pocket's two archives, by an index of modules instead of directory searches.

Installed there as `sitecustomize`, so that it is active before other imports.
"""

import marshal
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourcelessFileLoader
from types import CodeType, ModuleType

ARCHIVES = ("/app.pack", "/lib/python314.zip")
LIST = "/app/modules"
SELDOM = {"sqlparse"}
"""Imported by Django at every start, and loaded when first used."""
Place = tuple[int, bool, str, int, int]
"""A module's archive, whether it is a package, its file name, and the start and end of its code."""


class Packed(SourcelessFileLoader):
    """Finds and loads modules in the index; others go to the usual importers."""

    places: dict[str, Place] = {}

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        place = cls.places.get(name)
        if place is None:
            return None
        _, is_package, file, _, _ = place
        loader = (PackedLater if name in SELDOM else cls)(name, file)
        spec = ModuleSpec(name, loader, origin=file, is_package=is_package)
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


class Later(ModuleType):
    """A module that runs its code when an attribute is missing."""

    def __getattr__(self, name: str) -> object:
        self.__class__ = ModuleType  # type: ignore[assignment]  # mypy sees another class
        Packed.exec_module(self.__loader__, self)  # type: ignore[arg-type]  # a `PackedLater`
        return getattr(self, name)


class PackedLater(Packed):
    def exec_module(self, module: ModuleType) -> None:
        module.__class__ = Later


with open(LIST, "rb") as file:
    Packed.places = marshal.loads(file.read())
sys.meta_path.insert(0, Packed)
