"""Who is who: names joined into entities by exact normal form, title and surname, never by guess."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from lakehouse.ids import content_id, normal_text
from lakehouse.records import Entity

TITLES = frozenset(
    "mr mrs ms miss dr prof professor sir madam captain coach judge chef father sister "
    "씨 님 선생님 교수님 박사님 부장님 과장님 대리님 팀장님 대표님 실장님 원장님".split()
)
KO_SUFFIX = re.compile(
    r"(?:\s?(?:씨|님|선생님|교수님?|박사님?|부장님?|과장님?|대리님?|팀장님?|대표님?|실장님?|원장님?|이사님?))$"
)
LONGEST = 80
"""Characters of a name; what is longer is no name."""


def bare_name(name: str) -> str:
    """The name without titles and honorifics.

    >>> bare_name("Dr. Adomako"), bare_name("나도윤 대표님")
    ('adomako', '나도윤')
    """
    words = [w for w in normal_text(name).replace(".", " ").split() if w not in TITLES]
    text = " ".join(words)
    cut = KO_SUFFIX.sub("", text)
    return cut if len(cut) >= 2 else text or normal_text(name)


def entities(names: Iterable[tuple[str, str, bool]]) -> list[Entity]:
    """Entity rows of (tenant, name, whether a person): a surname joins the one full name that ends with it."""
    seen: dict[tuple[str, str], set[str]] = defaultdict(set)
    people: set[tuple[str, str]] = set()
    for tenant, name, person in names:
        if name and len(name) <= LONGEST:
            key = (tenant, bare_name(name))
            seen[key].add(name)
            if person:
                people.add(key)
    by_last: dict[tuple[str, str], list[str]] = defaultdict(list)
    for tenant, bare in seen:
        words = bare.split()
        if len(words) >= 2 and re.fullmatch(r"[a-z' -]+", bare):
            by_last[tenant, words[-1]].append(bare)
    home: dict[tuple[str, str], tuple[str, str]] = {}
    for tenant, bare in seen:
        titled = any(normal_text(n) != bare for n in seen[tenant, bare])
        fits = by_last.get((tenant, bare), [])
        home[tenant, bare] = (tenant, fits[0]) if titled and len(fits) == 1 else (tenant, bare)
    joined: dict[tuple[str, str], set[str]] = defaultdict(set)
    for key, spellings in seen.items():
        joined[home[key]] |= spellings
    rows = []
    for (tenant, bare), spellings in sorted(joined.items()):
        kind = "person" if any(home[key] == (tenant, bare) for key in people & home.keys()) else "thing"
        name = max(spellings, key=lambda n: (len(bare_name(n)), -len(n), n))
        rows.append(Entity(tenant, content_id("entity", tenant, bare), name, kind, tuple(sorted(spellings))))
    return rows
