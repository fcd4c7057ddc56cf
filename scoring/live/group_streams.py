"""The streams of groups, and whatever else a link to a group holds open."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from scoring.live.db_reader import Reader
from scoring.live.watchers import GroupWatcher, Watcher, take_out


class GroupStreams:
    """The open streams of this process's groups; ``doubt`` has them looked at soon."""

    def __init__(self, due: Callable[[], None]) -> None:
        self._due = due
        self._by_group: defaultdict[int, set[GroupWatcher]] = defaultdict(set)
        self._by_link: defaultdict[int, set[Watcher]] = defaultdict(set)
        self._doubted: set[int] = set()

    @contextmanager
    def watching(self, watcher: GroupWatcher) -> Iterator[GroupWatcher]:
        """Watch a group from what was read before; what came in between is found out."""
        self._by_group[watcher.group].add(watcher)
        self.doubt([watcher.group])
        try:
            with self.held(watcher, watcher.group_link):
                yield watcher
        finally:
            take_out(self._by_group, watcher.group, watcher)

    @contextmanager
    def held(self, watcher: Watcher, link: int | None) -> Iterator[None]:
        """Let a stream end with the link to a group that opened it, if one did."""
        if link is None:
            yield
            return
        self._by_link[link].add(watcher)
        try:
            yield
        finally:
            take_out(self._by_link, link, watcher)

    def doubt(self, groups: Iterable[int]) -> None:
        """Have these groups read soon, if anybody watches them."""
        doubted = self._by_group.keys() & set(groups)
        if doubted:
            self._doubted |= doubted
            self._due()

    def doubt_all(self) -> None:
        """Have all groups read soon: something may have been missed."""
        self.doubt(list(self._by_group))

    def end_by(self, link: int) -> None:
        """End what a link to a group has opened: it was revoked."""
        for watcher in self._by_link.get(link, ()):
            watcher.end()

    def end_all(self) -> None:
        """End every stream; its reader may come again."""
        for watchers in self._by_group.values():
            for watcher in watchers:
                watcher.end(revoked=False)

    async def look(self, reader: Reader, *, everywhere: bool) -> None:
        """Read how groups stand, and tell: those in doubt, or ``everywhere`` together with all links."""
        groups = self._by_group.keys() & self._doubted if not everywhere else set(self._by_group)
        links = set(self._by_link) if everywhere else {one.group_link for pk in groups for one in self._by_group[pk]}
        self._doubted.clear()
        if not groups and not links:
            return
        try:
            seen = await reader.look_at_groups(groups, links)
        except BaseException:  # also where it is cancelled: the next look is to be at these again
            self.doubt(groups)
            raise
        for group in groups:
            for watcher in self._by_group.get(group, ()):
                if group in seen.marks:
                    watcher.notice(seen.marks[group])
                else:
                    watcher.end()
        for link in links - seen.links:
            self.end_by(link)
