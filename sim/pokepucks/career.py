"""Trainer cards: battles, wins, and the pucks that players keep from one battle to the next.

A career is a JSON file with a `TrainerCard` for each player, by name::

    {"schema": 1, "game": "pokepucks career", "version": "0.1.0", "trainers": {"Ash": {
     "battles": 3, "sanctioned": 2, "wins": 2, "long_actions": 5, "caught": ["Onix"],
     "discovered": ["Onix", "Pikachu"],
     "pucks": {"Onix": 1, "Potion": 2}}}}

Players bring the pucks of their card to each battle, in addition to those of the set-up
(`with_kept`). Afterwards the card has those that they won or still have (`after_battle`); pucks of
the set-up are not kept, nor are proxies. A training battle changes nothing but what was discovered.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pucklab.base.errors import check_count, limits
from pucklab.base.facts import fact
from pucklab.physics import InputError
from pucklab.sim.core.kept import Kept
from pucklab.sim.pokepucks.battle.battle_setup import BattleSetup, Mode, Puck
from pucklab.sim.pokepucks.battle.live import BattleStep
from pucklab.sim.pokepucks.battle.narration import spell
from pucklab.sim.pokepucks.battle.setup_file import LegalPucks, is_proxy
from pucklab.sim.pokepucks.design_file import Catalogue
from pucklab.sim.pokepucks.designs import DesignKind

_MOST_TRAINERS = 1000
LONG_ACTION = 4
"""Throws of a turn that make it a long action: the rulebook's card names them, but defines none."""

_MOST_KEPT = 200
"""Most pucks of a name on a card, as many as a player may bring to a battle."""


@fact
class TrainerCard:
    """A player's battles, wins and pucks, kept from one battle to the next."""

    battles: int = limits(0, 10**9, default=0)  # to their end, without training battles
    sanctioned: int = limits(0, 10**9, default=0)  # of these, by the rulings and the lists
    wins: int = limits(0, 10**9, default=0)
    long_actions: int = limits(0, 10**9, default=0)  # turns of `LONG_ACTION` throws or more
    caught: tuple[str, ...] = ()  # Pokémon slammers that were ever won, in alphabetical order
    discovered: tuple[str, ...] = ()  # those that were seen in a battle, likewise
    pucks: Mapping[str, int] = limits(1, _MOST_KEPT, default_factory=dict)  # kept, by name

    def __post_init__(self) -> None:
        """Check the wins."""
        check_count("wins", self.wins, 0, self.battles)
        check_count("sanctioned", self.sanctioned, 0, self.battles)


CAREER: Kept[Mapping[str, TrainerCard]] = Kept(
    game="pokepucks career", key="trainers", what="career", kind=Mapping[str, TrainerCard], first={}
)
"""A career: the cards by the name of the player."""


def enter_battle(
    path: Path, steps: Sequence[BattleStep], brought: int
) -> Mapping[str, TrainerCard]:
    """Add a battle that is over to a career, to which other battles may be added meanwhile.

    Args:
        path: The file of the career.
        steps: The battle.
        brought: As for `after_battle`.

    Returns:
        All cards after it.

    Raises:
        InputError: The career cannot be read or is held by another command.
        OSError: It cannot be written.
    """

    def enter(cards: Mapping[str, TrainerCard]) -> Mapping[str, TrainerCard]:
        check_count("career: number of trainers", len(cards), 0, _MOST_TRAINERS)
        return after_battle(cards, steps, brought)

    return CAREER.change(path, enter)


def with_kept(
    field: str,
    table: BattleSetup,
    cards: Mapping[str, TrainerCard],
    catalogue: Catalogue,
    legal: LegalPucks | None = None,
) -> BattleSetup:
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


def _is_legal(legal: LegalPucks | None, pucks: Sequence[Puck], table: BattleSetup) -> bool:
    if legal is None:
        return True
    try:
        legal.check("legal", pucks, table.names)
    except InputError:
        return False
    return True


def after_battle(
    cards: Mapping[str, TrainerCard], steps: Sequence[BattleStep], brought: int
) -> dict[str, TrainerCard]:
    """Return the cards after a battle that is over.

    Args:
        cards: The cards before it, by name.
        steps: The battle.
        brought: Number of pucks of the set-up; those of the cards come behind them.
    """
    final = steps[-1].after.state
    training = final.table.options.mode is Mode.TRAINING
    # Every Pokémon that was a player's slammer or in Power.
    pucks = {
        puck
        for state in (step.after.state for step in steps)
        for player in state.playing
        for puck in (state.slammer(player), *state.power(player))
    }
    designs = (final.design(puck) for puck in pucks if puck is not None)
    seen = {design.name for design in designs if design.kind is DesignKind.POKEMON}
    turns = {step.after.state.turn.number: step.after.state.turn for step in steps}
    turns |= {turn.number: turn for step in steps for turn in step.after.state.turns if turn}
    long = [turn for turn in turns.values() if turn.throws >= LONG_ACTION]
    found = dict(cards)
    for player, name in enumerate(final.table.names):
        card = cards.get(name, TrainerCard())
        card = replace(card, discovered=tuple(sorted({*card.discovered, *seen})))
        if not training:
            changed = final.table.options.changed.keys() - {"mode", "buy_in", "first", "max_turns"}
            taken = (final.table.pucks[puck] for puck in final.collection(player))
            won = [puck for puck in taken if puck.returns_to != player]
            caught = [puck.name for puck in won if puck.design.kind is DesignKind.POKEMON]
            own = final.table.pucks
            # Pucks that were not legal, and were left at home, are still there.
            kept = Counter(card.pucks)
            kept -= Counter(puck.name for puck in own[brought:] if puck.owner == player)
            kept += Counter(
                own[number].name
                for number in final.collection(player)
                if (number >= brought or own[number].owner != player)
                and not is_proxy(own[number].design)
            )
            card = replace(
                card,
                battles=card.battles + 1,
                sanctioned=card.sanctioned + int(not changed and not final.table.rules),
                long_actions=card.long_actions + sum(each.player == player for each in long),
                wins=card.wins + int(final.winner == player),
                caught=tuple(sorted({*card.caught, *caught})),
                pucks={n: min(count, _MOST_KEPT) for n, count in sorted(kept.items())},
            )
        found[name] = card
    return found


def card_line(name: str, card: TrainerCard) -> str:
    """Return a card in a line.

    Example:
        >>> card_line("Ash", TrainerCard(battles=3, wins=2, long_actions=1)).split(", ")[:3]
        ['Ash: three battles (0 sanctioned)', 'two wins', 'one long action']
    """
    return (
        f"{name}: {spell(card.battles, 'battle')} ({card.sanctioned} sanctioned), "
        f"{spell(card.wins, 'win')}, {spell(card.long_actions, 'long action')}, "
        f"{len(card.caught)} Pokémon caught, {len(card.discovered)} discovered, "
        f"{spell(sum(card.pucks.values()))} kept"
    )
