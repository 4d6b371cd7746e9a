"""Trainer cards: battles, wins, and the pucks that players keep from one battle to the next.

A career is a JSON file with a `TrainerCard` for each player, by name::

    {"schema": 1, "game": "pokepucks career", "version": "0.1.0", "trainers": {"Ash": {
     "battles": 3, "wins": 2, "caught": ["Onix"], "discovered": ["Onix", "Pikachu"],
     "pucks": {"Onix": 1, "Potion": 2}}}}

Players bring the pucks of their card to each battle, in addition to those of the set-up
(`with_kept`). Afterwards the card has those that they won or still have (`after_battle`); pucks of
the set-up are not kept, nor are proxies. A training battle changes nothing but what was discovered.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from physics import InputError
from physics.errors import check_count, shown
from sim.core.files import read_json, version
from sim.core.records import check_record
from sim.pokepucks.battle.live import Exchange
from sim.pokepucks.battle.narration import counted
from sim.pokepucks.battle.setup_file import LegalPucks, is_proxy
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.battle.table import Mode, Puck, Table
from sim.pokepucks.design_file import Catalogue
from sim.pokepucks.designs import DesignKind

_GAME = "pokepucks career"
_KEYS = ("schema", "game", "version", "trainers")
_CARD_KEYS = ("battles", "wins", "caught", "discovered", "pucks")
_MOST_TRAINERS = 1000
_MOST_BATTLES = 10**9
_MOST_KEPT = 200
"""Most pucks of a name on a card, as many as a player may bring to a battle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainerCard:
    """The card of a player.

    Attributes:
        battles: Battles that were played to their end, training battles left out.
        wins: Those that were won.
        caught: Names of the Pokémon slammers that were ever won, in alphabetical order.
        discovered: Names of the Pokémon slammers that were seen in a battle, likewise.
        pucks: Number of pucks kept, by name.
    """

    battles: int = 0
    wins: int = 0
    caught: tuple[str, ...] = ()
    discovered: tuple[str, ...] = ()
    pucks: Mapping[str, int] = field(default_factory=dict)


def read_career(path: Path) -> dict[str, TrainerCard]:
    """Return the cards of a career by name; none if there is no such file yet.

    Raises:
        InputError: The file cannot be read, is of another version, or is no career.
    """
    if not path.exists():
        return {}
    where = f"career: {str(path)!r}"
    stored = check_record(where, read_json("career", path), game=_GAME, keys=_KEYS)
    trainers = stored["trainers"]
    if not isinstance(trainers, Mapping) or len(trainers) > _MOST_TRAINERS:
        raise InputError(f"{where} trainers: {shown(trainers)} is not accepted; give cards by name")
    return {name: _card(f"{where} {name}", card) for name, card in trainers.items()}


def _card(where: str, card: object) -> TrainerCard:
    if not isinstance(card, Mapping) or set(card) != set(_CARD_KEYS):
        raise InputError(f"{where}: {shown(card)} is not accepted; give {', '.join(_CARD_KEYS)}")
    check_count(f"{where} battles", card["battles"], low=0, high=_MOST_BATTLES)
    check_count(f"{where} wins", card["wins"], low=0, high=card["battles"])
    for key in ("caught", "discovered"):
        names = card[key]
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise InputError(f"{where} {key}: {shown(names)} is not accepted; give names")
    pucks = card["pucks"]
    if not isinstance(pucks, Mapping):
        raise InputError(f"{where} pucks: {shown(pucks)} is not accepted; give names and numbers")
    for name, count in pucks.items():
        check_count(f"{where} pucks {name}", count, low=1, high=_MOST_KEPT)
    return TrainerCard(
        battles=card["battles"],
        wins=card["wins"],
        caught=tuple(sorted(set(card["caught"]))),
        discovered=tuple(sorted(set(card["discovered"]))),
        pucks=dict(pucks),
    )


def career_json(cards: Mapping[str, TrainerCard]) -> str:
    """Return a career as JSON text with a card a line; `read_career` reads it back.

    Example:
        >>> "Ash" in career_json({"Ash": TrainerCard(battles=1)})
        True
    """
    lines = []
    for name, card in cards.items():
        stored = {
            "battles": card.battles,
            "wins": card.wins,
            "caught": list(card.caught),
            "discovered": list(card.discovered),
            "pucks": dict(sorted(card.pucks.items())),
        }
        lines.append(
            f"  {json.dumps(name, ensure_ascii=False)}: {json.dumps(stored, ensure_ascii=False)}"
        )
    head = json.dumps({"schema": 1, "game": _GAME, "version": version()}, indent=1)
    cards_text = "{\n" + ",\n".join(lines) + "\n }" if lines else "{}"
    return f'{head[:-2]},\n "trainers": {cards_text}\n}}\n'


def with_kept(
    field: str,
    table: Table,
    cards: Mapping[str, TrainerCard],
    catalogue: Catalogue,
    legal: LegalPucks | None = None,
) -> Table:
    """Return a set-up to which the players also bring the pucks of their cards.

    Those that are not legal stay at home. To a training battle no own pucks are brought.

    Args:
        field: Name of the career in an error.
        table: The set-up.
        cards: The cards by name.
        catalogue: The designs that cards may name.
        legal: The pucks that may be brought; all if None.

    Raises:
        InputError: A card has a puck that is in no list.
    """
    pucks = list(table.pucks)
    for player, name in enumerate(table.names):
        for puck_name, count in cards.get(name, TrainerCard()).pucks.items():
            design = catalogue.find(puck_name, f"{field} {name} pucks")
            for _ in range(count):
                more = [*pucks, Puck(design=design, owner=player)]
                if table.options.mode is not Mode.TRAINING and _is_legal(legal, more, table):
                    pucks = more
    return replace(
        table, pucks=tuple(pucks), rules=catalogue.rules_of(puck.design for puck in pucks)
    )


def _is_legal(legal: LegalPucks | None, pucks: Sequence[Puck], table: Table) -> bool:
    if legal is None:
        return True
    try:
        legal.check("legal", pucks, table.names)
    except InputError:
        return False
    return True


def after_battle(
    cards: Mapping[str, TrainerCard], exchanges: Sequence[Exchange], brought: int
) -> dict[str, TrainerCard]:
    """Return the cards after a battle that is over.

    Args:
        cards: The cards before it, by name.
        exchanges: The battle.
        brought: Number of pucks of the set-up; those of the cards come behind them.
    """
    final = exchanges[-1].after
    training = final.table.options.mode is Mode.TRAINING
    seen = _slammers_seen(exchange.after for exchange in exchanges)
    found = dict(cards)
    for player, name in enumerate(final.table.names):
        card = cards.get(name, TrainerCard())
        card = replace(card, discovered=tuple(sorted({*card.discovered, *seen})))
        if not training:
            card = replace(
                card,
                battles=card.battles + 1,
                wins=card.wins + int(final.winner == player),
                caught=tuple(sorted({*card.caught, *_caught(final, player)})),
                pucks=_kept(card, final, player, brought),
            )
        found[name] = card
    return found


def _slammers_seen(states: Iterable[BattleState]) -> set[str]:
    """Return the names of all Pokémon slammers that were a player's slammer or in Power."""
    pucks: set[int] = set()
    table = None
    for state in states:
        table = state.table
        for player in state.playing:
            own = state.slammer(player)
            pucks.update(state.power(player) if own is None else (*state.power(player), own))
    if table is None:
        return set()
    designs = (table.pucks[puck].design for puck in pucks)
    return {design.name for design in designs if design.kind is DesignKind.POKEMON}


def _caught(final: BattleState, player: int) -> set[str]:
    pucks = (final.table.pucks[puck] for puck in final.collection(player))
    return {
        puck.name
        for puck in pucks
        if puck.returns_to != player and puck.design.kind is DesignKind.POKEMON
    }


def _kept(card: TrainerCard, final: BattleState, player: int, brought: int) -> dict[str, int]:
    """Return the pucks of a card after a battle."""
    pucks = final.table.pucks
    mine = [
        number
        for number in final.collection(player)
        if (number >= brought or pucks[number].owner != player)
        and not is_proxy(pucks[number].design)
    ]
    # Pucks that were not legal, and were left at home, are still there.
    own = Counter(puck.name for puck in pucks[brought:] if puck.owner == player)
    kept = Counter(card.pucks) - own + Counter(pucks[number].name for number in mine)
    return {name: min(count, _MOST_KEPT) for name, count in kept.items()}


def card_line(name: str, card: TrainerCard) -> str:
    """Return a card in a line.

    Example:
        >>> card_line("Ash", TrainerCard(battles=3, wins=2, caught=("Onix",)))
        'Ash: three battles, two wins, 1 Pokémon caught, 0 discovered, no pucks kept'
    """
    return (
        f"{name}: {counted(card.battles, 'battle')}, {counted(card.wins, 'win')}, "
        f"{len(card.caught)} Pokémon caught, {len(card.discovered)} discovered, "
        f"{counted(sum(card.pucks.values()))} kept"
    )
