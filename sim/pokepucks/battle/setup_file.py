"""Set-ups: from a file, or with a house collection for each player.

`read_setup` reads a TOML file with ``schema = 1``, such as::

    [options]                      # any of BattleOptions; missing ones have the default
    mode = "battle"

    [[players]]                    # in turn order
    name = "Ash"
    slammers = ["Pikachu", "Onix"]
    pucks = { "Plain Puck" = 10, "Potion" = 2, "Electric Energy" = 2 }

    [box]                          # pucks shared by all, as in a training battle; optional
    slammers = []
    pucks = { "Sandbag" = 40 }
    home = "Ash"                   # whose collection they go to after the battle; optional
    homes = { "Potion" = "Misty" } # the same by puck or kind; the others go by ``home``

    [legal]                        # pucks that may be brought; optional
    only = ["item", "Plain Puck"]  # names of pucks or kinds; all if not given
    banned = ["Pidgeot"]
    per_player = { "Potion" = { most = 2 }, trainer = { least = 1, most = 3 } }
    per_battle = { "Full Heal" = { most = 2 } }

    [proxies]                      # pucks that stand for others; optional
    "Bottle Cap" = "Mr. Saia"
    "Big Washer" = { for = "Onix", mass_g = 18, thickness_mm = 5 }

A player who takes pucks from the box needs no ``pucks``. A proxy has the rule and the types of the
puck that it stands for, and its own mass and thickness; limits count it as what it stands for.

`house_table` gives every player the same pucks, except for the slammer and whatever suits its type.
House data: the rulebook leaves it to the players which pucks they bring. `read_deck` reads what one
player brings from a file of its own, and `deck_table` makes a set-up of such decks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from physics import InputError
from physics.errors import check_count, check_number, shown
from sim.core.files import read_toml
from sim.pokepucks.battle.record import options_from
from sim.pokepucks.battle.table import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    BattleOptions,
    Mode,
    Puck,
    Table,
)
from sim.pokepucks.design_file import Catalogue, shipped_catalogue
from sim.pokepucks.designs import (
    SLAMMER_THICKNESS_MM,
    Design,
    DesignKind,
    EnergyType,
    name_key,
    piece_of,
)

_MAX_OF_ONE = 200
"""Most pucks of one name that a player may bring."""

_MOST_BROUGHT = 10_000
"""More pucks than a battle can have: no limit."""

_MAX_NAME = 40

_PROXY = "a proxy: "
"""Beginning of the variant of a proxy; the proxy's own name follows."""

_HOUSE_PUCKS = (
    "{type} Energy",
    "{type} Focus Energy",
    "Potion",
    "Berry",
    "Full Heal",
    "Mr. Merkert",
    "{type} Energy",
    "Poké Flute",
    "Potion",
    "Berry",
    "Silph Scope",
    "Focus Sash",
    "Mr. Saia",
    "Switch",
    "Sandbag",
)
"""The first pucks of a house collection; plain pucks follow."""

_WILD_PUCKS = ("Switch", "Full Heal", "Plain Puck", "Plain Puck", "Plain Puck", "Poké Ball")
"""The house collection in a wild battle."""


def read_setup(path: Path, catalogue: Catalogue) -> Table:
    """Read the set-up of a battle from a file.

    Args:
        path: The file.
        catalogue: The designs that it may name.

    Raises:
        InputError: The file cannot be read, or a key or value is not accepted.
    """
    field = f"setup: {str(path)!r}"
    setup = read_toml("setup", path)
    _check_keys(field, setup, ("options", "players", "box", "legal", "proxies"))
    players = setup.get("players")
    if not isinstance(players, list):
        raise InputError(f"{field} players: {shown(players)} is not accepted; give [[players]]")
    check_count(f"{field} players", len(players), low=MIN_PLAYERS, high=MAX_PLAYERS)
    known = _Known(catalogue, proxies_from(f"{field} proxies", setup.get("proxies", {}), catalogue))
    pucks: list[Puck] = []
    names = []
    for index, player in enumerate(players):
        where = f"{field} player {index + 1}"
        _check_keys(where, player, ("name", "slammers", "pucks"))
        names.append(_name(where, player.get("name")))
        pucks += _pucks(where, player, index, known)
    pucks += _box(f"{field} box", setup.get("box", {}), names, known)
    options = options_from(f"{field} options", setup.get("options", {}))
    legal = legal_from(f"{field} legal", setup.get("legal", {}), catalogue)
    legal.check(f"{field} legal", pucks, names)
    try:
        return Table(
            pucks=tuple(pucks),
            names=tuple(names),
            options=options,
            rules=catalogue.rules_of(puck.design for puck in pucks),
        )
    except InputError as error:
        raise InputError(f"{field}: {error}") from None


def _check_keys(field: str, table: object, keys: tuple[str, ...]) -> None:
    if not isinstance(table, Mapping):
        raise InputError(f"{field}: {shown(table)} is not accepted; give a table")
    for key in table:
        if key not in keys:
            raise InputError(f"{field} {key}: no such key; give {', '.join(keys)}")


def _name(field: str, name: object) -> str:
    if not isinstance(name, str) or not name.isprintable() or not name.strip():
        raise InputError(f"{field} name: {shown(name)} is not accepted; give a name")
    return name.strip()


@dataclass(frozen=True, slots=True)
class _Known:
    """The designs that a set-up may name: its proxies by key, and then those of the catalogue."""

    catalogue: Catalogue
    proxies: Mapping[str, Design]

    def find(self, name: str, what: str) -> Design:
        return self.proxies.get(name_key(name)) or self.catalogue.find(name, what)

    def find_slammer(self, name: str, what: str) -> Design:
        proxy = self.proxies.get(name_key(name))
        if proxy is not None and not proxy.kind.is_slammer:
            raise InputError(f"{what}: {proxy.name!r} is no slammer but of kind {proxy.kind}")
        return proxy or self.catalogue.find_slammer(name, what)


def proxies_from(field: str, table: object, catalogue: Catalogue) -> dict[str, Design]:
    """Return the designs of proxies, by the key of the proxy's name.

    A proxy is known by the puck that it stands for, with its own name behind: ``Potion (Bottle
    Cap)``. All proxies of one name stand for the same puck, because a table has a name only once.

    Args:
        field: Name of the table in an error.
        table: For the name of each proxy the name of the puck that it stands for, or a table with
            that name under ``for``, and the proxy's ``mass_g`` and ``thickness_mm``.
        catalogue: The designs that they may stand for.

    Raises:
        InputError: A name or value is not accepted.

    Example:
        >>> proxies = proxies_from("proxies", {"Cap": "Potion"}, shipped_catalogue())
        >>> proxies["cap"].name, proxies["cap"].rule
        ('Potion (Cap)', 'Potion')
    """
    if not isinstance(table, Mapping):
        raise InputError(f"{field}: {shown(table)} is not accepted; give names of pucks")
    found: dict[str, Design] = {}
    for name, value in table.items():
        where = f"{field} {name}"
        if not name_key(name) or not name.isprintable() or "," in name or len(name) > _MAX_NAME:
            raise InputError(f"{where}: give a name of at most {_MAX_NAME} signs without a comma")
        if name_key(name) in found:
            raise InputError(f"{where}: it is there twice; a proxy stands for one puck (PP-61)")
        found[name_key(name)] = _proxy(where, name, value, catalogue)
    return found


def is_proxy(design: Design) -> bool:
    """Return whether a design is that of a proxy."""
    return design.variant.startswith(_PROXY)


def _proxy(field: str, name: str, value: object, catalogue: Catalogue) -> Design:
    entry = {"for": value} if isinstance(value, str) else value
    _check_keys(field, entry, ("for", "mass_g", "thickness_mm"))
    assert isinstance(entry, Mapping)
    meant = entry.get("for")
    if not isinstance(meant, str):
        raise InputError(f"{field}: {shown(meant)} is not accepted; give the name of a puck")
    design = catalogue.find(meant, field)
    bodies = {name_key(d.name): d for d in catalogue.designs}
    body = bodies.get(name_key(name), Design(name=name, kind=DesignKind.PLAIN))
    if design.kind.is_slammer and "mass_g" not in entry and not body.kind.is_slammer:
        raise InputError(f"{field} mass_g: missing; give the slammer's mass in g")
    usual_mm = SLAMMER_THICKNESS_MM if design.kind.is_slammer else body.thickness_mm
    thickness_mm = entry.get("thickness_mm", usual_mm)
    mass_g = entry.get("mass_g", body.mass_g)
    low, high = (2.0, 24.0) if design.kind.is_slammer else (1.0, 2.0)
    check_number(f"{field} mass_g", mass_g, low=low, high=high, unit="g")
    high = 8.0 if design.kind.is_slammer else usual_mm
    check_number(f"{field} thickness_mm", thickness_mm, low=1.6, high=high, unit="mm")
    proxy = replace(
        design,
        name=f"{design.name} ({name})",
        mass_g=float(mass_g),
        thickness_mm=float(thickness_mm),
        variant=f"{_PROXY}{name}",
    )
    try:
        piece_of(proxy)
    except InputError as error:
        raise InputError(f"{field} {error}") from None
    return proxy


@dataclass(frozen=True, slots=True, kw_only=True)
class LegalPucks:
    """The pucks that may be brought to a battle, and how many (rulebook, Battle Setup 2).

    Pucks and kinds are given by the keys of their names. A proxy counts as what it stands for.

    Attributes:
        only: Pucks and kinds that may be brought; empty for all.
        banned: Pucks and kinds that may not.
        per_player: Fewest and most of a puck or kind that a player may bring; the pucks of a box
            belong to no player.
        per_battle: Fewest and most of a puck or kind in the whole battle.
    """

    only: frozenset[str] = frozenset()
    banned: frozenset[str] = frozenset()
    per_player: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    per_battle: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def check(self, field: str, pucks: Sequence[Puck], names: Sequence[str]) -> None:
        """Check the pucks that players bring.

        Args:
            field: Name of the table in an error.
            pucks: The pucks.
            names: The players.

        Raises:
            InputError: A puck is not legal, or there are too few or too many; the message names the
                rule, the puck and the player.
        """
        for puck in pucks:
            whose = "the box" if puck.owner is None else names[puck.owner]
            keys = legal_names(puck.design)
            if self.only and not keys & self.only:
                raise InputError(f"{field} only: {puck.name} of {whose} is not in the list")
            if keys & self.banned:
                raise InputError(f"{field} banned: {puck.name} of {whose} is")
        for player, name in enumerate(names):
            own = [puck for puck in pucks if puck.owner == player]
            _check_limits(f"{field} per_player", self.per_player, own, name)
        _check_limits(f"{field} per_battle", self.per_battle, pucks, "the battle")


def legal_names(design: Design) -> set[str]:
    """Return the names by which a limit may mean a design: its own and that of its kind."""
    name = design.name
    if is_proxy(design):
        name = name[: name.rindex(f" ({design.variant.removeprefix(_PROXY)})")]
    return {name_key(name), design.kind.value}


def _check_limits(
    field: str, limits: Mapping[str, tuple[int, int]], pucks: Sequence[Puck], whose: str
) -> None:
    for name, (least, most) in limits.items():
        count = sum(name_key(name) in legal_names(puck.design) for puck in pucks)
        if not least <= count <= most:
            wanted = f"at least {least}" if count < least else f"at most {most}"
            raise InputError(f"{field} {name}: {whose} has {count}; {wanted} is legal")


def legal_from(field: str, table: object, catalogue: Catalogue) -> LegalPucks:
    """Return the legal pucks of a ``[legal]`` table.

    Args:
        field: Name of the table in an error.
        table: The table: ``only``, ``banned``, ``per_player`` and ``per_battle``, all optional.
        catalogue: The designs that it may name.

    Raises:
        InputError: A key, name or number is not accepted.

    Example:
        >>> legal = legal_from("legal", {"banned": ["onix", "trainer"]}, shipped_catalogue())
        >>> sorted(legal.banned)
        ['onix', 'trainer']
    """
    _check_keys(field, table, ("only", "banned", "per_player", "per_battle"))
    assert isinstance(table, Mapping)
    lists: dict[str, frozenset[str]] = {}
    for key in ("only", "banned"):
        names = table.get(key, [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise InputError(f"{field} {key}: {shown(names)} is not accepted; give names")
        lists[key] = frozenset(
            name_key(_legal_name(f"{field} {key}", name, catalogue)) for name in names
        )
    limits: dict[str, dict[str, tuple[int, int]]] = {}
    for key in ("per_player", "per_battle"):
        entries = table.get(key, {})
        if not isinstance(entries, Mapping):
            raise InputError(f"{field} {key}: {shown(entries)} is not accepted; give names")
        limits[key] = {
            _legal_name(f"{field} {key}", name, catalogue): _limit(f"{field} {key} {name}", limit)
            for name, limit in entries.items()
        }
    return LegalPucks(
        only=lists["only"],
        banned=lists["banned"],
        per_player=limits["per_player"],
        per_battle=limits["per_battle"],
    )


def _legal_name(field: str, name: str, catalogue: Catalogue) -> str:
    """Return the name of a puck or kind as it is listed."""
    return name if name in tuple(DesignKind) else catalogue.find(name, field).name


def read_legal(path: Path, catalogue: Catalogue) -> LegalPucks:
    """Return the legal pucks of a set-up file.

    Raises:
        InputError: The file cannot be read, or its ``[legal]`` is not accepted.
    """
    setup = read_toml("setup", path)
    return legal_from(f"setup: {str(path)!r} legal", setup.get("legal", {}), catalogue)


def _limit(field: str, limit: object) -> tuple[int, int]:
    _check_keys(field, limit, ("least", "most"))
    assert isinstance(limit, Mapping)
    least, most = limit.get("least", 0), limit.get("most", _MOST_BROUGHT)
    check_count(f"{field} least", least, low=0, high=_MOST_BROUGHT)
    check_count(f"{field} most", most, low=least, high=_MOST_BROUGHT)
    return least, most


def _box(field: str, box: object, names: Sequence[str], known: _Known) -> list[Puck]:
    """Return the pucks of the box, with the homes that the players decided on (PP-60)."""
    _check_keys(field, box, ("slammers", "pucks", "home", "homes"))
    assert isinstance(box, Mapping)
    homes = box.get("homes", {})
    if not isinstance(homes, Mapping):
        raise InputError(f"{field} homes: {shown(homes)} is not accepted; give names of players")
    usual = _seat(f"{field} home", box.get("home"), names)
    seats: dict[str, int | None] = {}
    for name, player in homes.items():
        where = f"{field} homes"
        kind = name in tuple(DesignKind)
        # A proxy's home may be given by its own name or by that of the puck it stands for.
        keys = {name} if kind else legal_names(known.find(name, where)) - set(DesignKind)
        seats |= dict.fromkeys(keys, _seat(f"{where} {name}", player, names))
    pucks = _pucks(field, box, None, known)
    found = []
    for puck in pucks:
        kind_first = sorted(legal_names(puck.design), key=lambda key: key not in tuple(DesignKind))
        home = usual
        for key in kind_first:  # a puck's own name counts more than its kind
            home = seats.get(key, home)
        found.append(replace(puck, home=home))
    return found


def _seat(field: str, name: object, names: Sequence[str]) -> int | None:
    if name is None:
        return None
    if name not in names:
        raise InputError(f"{field}: {shown(name)} is not accepted; give one of {', '.join(names)}")
    return list(names).index(str(name))


def _pucks(
    field: str, table: Mapping[str, Any], owner: int | None, catalogue: _Known
) -> list[Puck]:
    """Return the pucks of a player, or of the box."""
    slammers = table.get("slammers", [])
    if not isinstance(slammers, list) or not all(isinstance(name, str) for name in slammers):
        raise InputError(f"{field} slammers: {shown(slammers)} is not accepted; give names")
    counts = table.get("pucks", {})
    if not isinstance(counts, Mapping):
        raise InputError(f"{field} pucks: {shown(counts)} is not accepted; give names and numbers")
    pucks = []
    for name in slammers:
        design = catalogue.find_slammer(name, f"{field} slammers")
        pucks.append(Puck(design=design, owner=owner))
    for name, count in counts.items():
        check_count(f"{field} pucks {name}", count, low=1, high=_MAX_OF_ONE)
        pucks += [Puck(design=catalogue.find(name, f"{field} pucks"), owner=owner)] * count
    return pucks


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """Everything that a player brings to a battle.

    Attributes:
        name: Its name, after which its player is called.
        slammers: The slammers.
        pucks: The other pucks.
    """

    name: str
    slammers: tuple[Design, ...]
    pucks: tuple[Design, ...]

    @property
    def counts(self) -> dict[str, int]:
        """The number of each of the other pucks, by name, in the order in which they come."""
        names = [puck.name for puck in self.pucks]
        return {name: names.count(name) for name in dict.fromkeys(names)}


def house_deck(slammer: Design, count: int, catalogue: Catalogue, mode: Mode = Mode.BATTLE) -> Deck:
    """Return a slammer with its house collection.

    Args:
        slammer: The slammer.
        count: Number of other pucks; in a wild battle there are always six.
        catalogue: Source of the pucks.
        mode: The kind of battle.

    Raises:
        InputError: The design is no slammer.

    Example:
        >>> catalogue = shipped_catalogue()
        >>> list(house_deck(catalogue.find("lapras"), 5, catalogue).counts)
        ['Water Energy', 'Water Focus Energy', 'Potion', 'Berry', 'Full Heal']
    """
    if not slammer.kind.is_slammer:
        raise InputError(f"slammer: {slammer.name!r} is no slammer; give one")
    names = _WILD_PUCKS if mode is Mode.WILD else house_collection(slammer, count)
    pucks = tuple(catalogue.find(name) for name in names)
    return Deck(name=slammer.name, slammers=(slammer,), pucks=pucks)


def read_deck(path: Path, catalogue: Catalogue, field: str = "deck") -> Deck:
    """Read a deck from a TOML file with ``schema = 1``, and ``slammers`` and ``pucks`` as a player.

    Without a ``name``, the deck has that of the file.

    Args:
        path: The file.
        catalogue: The designs that it may name.
        field: Name of the option in an error.

    Raises:
        InputError: The file cannot be read, or a key or value is not accepted.
    """
    where = f"{field}: {str(path)!r}"
    table = read_toml(field, path)
    _check_keys(where, table, ("name", "slammers", "pucks"))
    pucks = [puck.design for puck in _pucks(where, table, None, _Known(catalogue, {}))]
    return Deck(
        name=_name(where, table.get("name", path.stem)),
        slammers=tuple(design for design in pucks if design.kind.is_slammer),
        pucks=tuple(design for design in pucks if not design.kind.is_slammer),
    )


def deck_toml(deck: Deck) -> str:
    """Return a deck as the text of a file that `read_deck` reads; its name is that of the file.

    Example:
        >>> catalogue = shipped_catalogue()
        >>> print(deck_toml(house_deck(catalogue.find("onix"), 2, catalogue)))
        schema = 1
        slammers = ["Onix"]
        <BLANKLINE>
        [pucks]
        "Fighting Energy" = 1
        "Fighting Focus Energy" = 1
        <BLANKLINE>
    """
    slammers = ", ".join(_toml_text(design.name) for design in deck.slammers)
    lines = [f"{_toml_text(name)} = {count}" for name, count in deck.counts.items()]
    return "\n".join(("schema = 1", f"slammers = [{slammers}]", "", "[pucks]", *lines, ""))


def _toml_text(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def deck_table(
    decks: Sequence[Deck],
    options: BattleOptions | None = None,
    catalogue: Catalogue | None = None,
    names: Sequence[str] = (),
) -> Table:
    """Return the set-up of a battle between decks.

    In a training battle all pucks but the slammers are one collection.

    Args:
        decks: The deck of each player, in turn order.
        options: Mode and rulings; the defaults if None.
        catalogue: Source of special rules from a file; the shipped designs if None.
        names: Names of the players; those of their decks if empty.

    Raises:
        InputError: The number of players or of names is not accepted.
    """
    options = options or BattleOptions()
    catalogue = catalogue or shipped_catalogue()
    options.check_players(len(decks))
    pucks = []
    for player, deck in enumerate(decks):
        owner = None if options.mode is Mode.TRAINING else player
        pucks += [Puck(design=design, owner=player) for design in deck.slammers]
        pucks += [Puck(design=design, owner=owner) for design in deck.pucks]
    if names and len(names) != len(decks):
        given = ", ".join(names)
        raise InputError(f"names: {given!r} is not accepted; give {len(decks)} names")
    return Table(
        pucks=tuple(pucks),
        names=tuple(_name("names:", name) for name in names) or numbered([d.name for d in decks]),
        options=options,
        rules=catalogue.rules_of(puck.design for puck in pucks),
    )


def house_table(
    slammers: Sequence[Design],
    options: BattleOptions | None = None,
    catalogue: Catalogue | None = None,
    names: Sequence[str] = (),
) -> Table:
    """Return a set-up in which each player has one slammer and a house collection.

    Args:
        slammers: The slammer of each player, in turn order.
        options: Mode and rulings; the defaults if None.
        catalogue: Source of the pucks; the shipped designs if None.
        names: Names of the players; those of their slammers if empty.

    Raises:
        InputError: One of the designs is no slammer, or the number of players is not accepted.

    Example:
        >>> find = shipped_catalogue().find
        >>> table = house_table([find("pikachu"), find("onix"), find("onix")])
        >>> table.names, len(table.pucks)
        (('Pikachu', 'Onix', 'Onix 2'), 42)
        >>> table.pucks[1].name
        'Electric Energy'
    """
    options = options or BattleOptions()
    catalogue = catalogue or shipped_catalogue()
    options.check_players(len(slammers))
    decks = [
        house_deck(slammer, options.buy_in_of(player, len(slammers)), catalogue, options.mode)
        for player, slammer in enumerate(slammers)
    ]
    return deck_table(decks, options, catalogue, names)


def house_collection(slammer: Design, count: int) -> tuple[str, ...]:
    """Return the names of the first ``count`` pucks of the house collection for a slammer."""
    kind = (slammer.type or EnergyType.NORMAL).capitalize()
    first = tuple(name.format(type=kind) for name in _HOUSE_PUCKS[:count])
    return first + ("Plain Puck",) * (count - len(first))


def numbered(names: Sequence[str]) -> tuple[str, ...]:
    """Return names that are all different: a number follows a name that is taken.

    Example:
        >>> numbered(["Onix", "Eevee", "Onix"])
        ('Onix', 'Eevee', 'Onix 2')
    """
    found: list[str] = []
    for first in names:
        name, number = first, 1
        while name in found:
            number += 1
            name = f"{first} {number}"
        found.append(name)
    return tuple(found)
