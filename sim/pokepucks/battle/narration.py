"""A battle told to a person: a sentence for each throw, without routine.

`narrate` yields lines as a battle goes on: three for the set-up, a heading for each turn, a
sentence for each throw and each special rule that acts, and everybody's Health at the turn's end.
Routine is left out or shortened: pucks are picked up unless a line says otherwise, an Energy is a
word in the sentence on attacks, and throws with the same result share one sentence.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pucklab.sim.pokepucks.battle import events as ev
from pucklab.sim.pokepucks.battle.battle_setup import MIN_PLAYERS, BattleSetup, Mode
from pucklab.sim.pokepucks.battle.state import (
    ARENA,
    BattleState,
    Place,
    StackKind,
    Status,
    Step,
    health,
    place_name,
)
from pucklab.sim.pokepucks.designs import DesignKind
from pucklab.sim.pokepucks.special import rules_of

Emphasis = Callable[[str], str]
"""Returns a text in bold, or as it is."""

_NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip

_MANY = 3
"""From so many pucks of a name on, the name is given once."""

_EFFECTS = {
    "Dig's attack more": "{name} has one attack more in the next turn",
    "Hyper Beam's recoil": "{name} has one attack only in the next turn",
    "Defense Curl's pick-up less": "{name}'s next pick-up is one puck fewer",
    "Fire Spin's hold": "{name} cannot change slammers in the next turn",
}
"""Sentences on effects that become pending; others are named."""

_STEPS = frozenset({"flipped a puck", "top-off", "no puck left to top off with"})
"""Reasons of a status that are steps of the turn, not special rules."""

_FOLDED_MOVES = frozenset(
    {"set-up", "set aside", "knock-out", "put back", "shields back", "won", "draw", "knocked out"}
)


def spell(number: int, noun: str = "puck") -> str:
    """Return a number of things in words, up to twelve.

    Example:
        >>> spell(1), spell(3), spell(20, "attack")
        ('one puck', 'three pucks', '20 attacks')
    """
    return f"{number_word(number)} {noun}{'' if number == 1 else 's'}"


def names_of(table: BattleSetup, pucks: Sequence[int]) -> str:
    """Return the names of pucks; plain pucks are counted, and come last."""
    plain = [puck for puck in pucks if table.pucks[puck].design.kind is DesignKind.PLAIN]
    found = [table.pucks[puck].name for puck in pucks if puck not in plain]
    names = []
    for name in dict.fromkeys(found):
        many = found.count(name)
        names += [name] * many if many < _MANY else [f"{name} ({many})"]
    if plain:
        names.append("a plain puck" if len(plain) == 1 else spell(len(plain), "plain puck"))
    return ", ".join(names)


def number_word(number: int) -> str:
    """Return a number in a word, up to twelve."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


@dataclass(slots=True)
class _Acting:
    """A special rule that acts, and the clauses on its effect so far."""

    player: int
    rule: str
    puck: int | None
    clauses: list[str] = field(default_factory=list)
    own: str = ""
    """A whole sentence that needs no mention of the rule."""


class Narrator:
    """Turns events into sentences; some wait for the events that belong to them."""

    def __init__(self, bold: Emphasis = str) -> None:
        self._bold = bold
        self._acting: _Acting | None = None
        self._paid: tuple[int, str] | None = None  # the payer of a top-off, and its words
        self._topped_off = ""
        self._empty_in = 0  # the last turn with an attack at an empty Arena
        self._gains: list[str] = []
        self._losses: list[str] = []
        # Those of events that take more to tell.
        self._tellers: Mapping[type, Callable[[BattleState, Any], str]] = {
            ev.Moved: self._tell_move,
            ev.StatusGained: self._tell_gain,
            ev.StatusLost: self._tell_loss,
            ev.AttacksSet: self._note_attacks,
            ev.MatchupSet: self._tell_matchup,
            ev.Thrown: self._tell_throw,
            ev.AttackEnded: self._tell_end,
        }

    def lines(self, state: BattleState, event: ev.Event) -> Iterator[str]:
        """Yield the lines that are complete once an event is known."""
        if isinstance(event, ev.TurnBegan | ev.Won | ev.Drawn):
            # The last lines of the turn before.
            told = self._tell_rule(state)
            for sentence in (f"{self._topped_off}." if self._topped_off else "", told):
                if sentence:
                    yield f"  {sentence}"
            self._topped_off = ""
            if state.turn.number:
                yield f"  {_standing(state)}"
            if isinstance(event, ev.TurnBegan):
                if event.number == 1:
                    yield from _set_up_lines(state)
                statuses = [self._status(status) for status in state.statuses[event.player]]
                if state.table.options.is_wild:
                    statuses = [word for word in statuses if word != self._status(Status.CRITICAL)]
                noted = f" ({', '.join(statuses)})" if statuses else ""
                yield f"Turn {event.number}: {state.table.names[event.player]}{noted}"
        elif state.turn.number and state.winner is None:
            for sentence in filter(None, self._sentences(state, event)):
                if self._topped_off:
                    yield f"  {self._topped_off}."
                    self._topped_off = ""
                yield f"  {sentence}"

    def _sentences(self, state: BattleState, event: ev.Event) -> Iterator[str]:
        """Yield the sentences that an event completes; some are empty."""
        if isinstance(event, ev.StepBegan):
            yield self._tell_rule(state)
            # The sentence on the top-off waits: that on attacks may follow in the same line.
            if self._paid is not None:
                (payer, words), self._paid = self._paid, None
                self._topped_off = f"{state.table.names[payer]} fills up the Arena with {words}"
            yield self._tell_attacks(state, event)
            return
        if isinstance(event, ev.RuleUsed | ev.AttackBegan):
            yield self._tell_rule(state)
            if isinstance(event, ev.RuleUsed):
                self._acting = _Acting(event.player, event.rule, event.puck)
            return
        clause = self._clause(state, event)
        if not clause:
            return
        # A step of the turn gets a line of its own, even right after a rule has acted.
        if isinstance(event, ev.StatusGained | ev.StatusLost):
            is_of_step = event.why in _STEPS
        else:
            is_of_step = isinstance(event, ev.Thrown | ev.ThrowSkipped | ev.AttackEnded)
        if self._acting is not None and not is_of_step:
            self._acting.clauses.append(clause)
            return
        yield self._tell_rule(state)
        yield f"{clause[:1].upper()}{clause[1:]}."

    def _clause(self, state: BattleState, event: ev.Event) -> str:
        """Return the text of an event; empty if it needs none or another event tells it."""
        acting, player = self._acting, getattr(event, "player", None)
        name = state.table.names[state.player if player is None else player]
        match event:
            case ev.SizeSet(place=place, size=size):
                return f"{place_name(state, place)} now holds at most {number_word(size)}"
            case ev.EffectGained(effect=effect):
                known = _EFFECTS.get(effect)
                return known.format(name=name) if known else f"{effect} is still to come for {name}"
            case ev.Arranged(place=place, why=why) if why != "restack":
                return f"{name} rearranges {place_name(state, place)}"
            case ev.AttackGranted(grant=grant):
                most = "" if grant.most is None else f"{number_word(grant.most)} at most"
                return f"{name} gets another attack{most and f', which picks up {most}'}"
            case ev.PayerSet(player=int()):
                return f"{name} is Confused and fills the Arena in the next turn"
            case ev.Declared(rule=rule):
                if acting is not None:
                    acting.own = f"{name} declares {rule}."
            case ev.ThrowSkipped() if self._empty_in != state.turn.number:
                self._empty_in = state.turn.number  # it is said once a turn
                return f"the Arena is empty: {name} has nothing to throw at and misses"
            case ev.AttackBarred(why=why) if why != str(Status.SLEEP):
                return "nothing is picked up"
            case ev.AttackLimited(most=limit, why=why):
                may = f"at most {number_word(limit)}" if limit else "nothing"
                return f"{may} may be picked up{f' ({why})' if acting is None else ''}"
            case ev.PickedUp(puck=puck):
                # The throw, or the end of the attack, tells those of the thrower.
                if state.attack is None or player != state.attack.player:
                    return f"{name} picks up {names_of(state.table, (puck,))}"
            case _:
                tell = self._tellers.get(type(event))
                return "" if tell is None else tell(state, event)
        return ""

    def _status(self, status: str) -> str:
        return self._bold(str(status)) if status == Status.CRITICAL else str(status)

    def _tell_rule(self, state: BattleState) -> str:
        """Return the sentence on the special rule that acted, which is now complete."""
        acting, self._acting = self._acting, None
        if acting is None:
            return ""
        if acting.own and not acting.clauses:
            return acting.own
        rule = rules_of(state.table).rule(acting.rule)
        if not acting.clauses:
            # It is a word in the sentence on attacks, or goes without saying.
            puck = "" if acting.puck is None else state.table.pucks[acting.puck].name
            if {acting.rule, puck} & {*self._gains, *self._losses}:
                return ""
            if rule is None or not rule.optional:
                return ""
        player = state.table.names[acting.player]
        name = acting.rule if rule is None else rule.listing
        told = "; ".join(([acting.own[:-1]] if acting.own else []) + acting.clauses)
        if acting.puck is None:
            source, _, _ = name.partition("'s ")
            return f"{source} takes effect: {told}."
        more = f"{player} gets another attack"
        if told.startswith(more):
            return f"{more} ({name}){told.removeprefix(more)}."
        if told.startswith(f"{player} "):
            return f"{player} uses {name} and {told.removeprefix(f'{player} ')}."
        return f"{player} uses {name}: {told}." if told else f"{player} uses {name}."

    def _tell_attacks(self, state: BattleState, event: ev.StepBegan) -> str:
        """Return the sentence on the number of attacks, when they are counted."""
        if state.step is not Step.COUNT or event.step is not Step.ATTACK:
            return ""
        reasons = "; ".join(filter(None, (", ".join(self._gains), ", ".join(self._losses))))
        self._gains, self._losses = [], []
        if not reasons:
            return ""
        name = state.table.names[state.player]
        told = f"has {spell(state.turn.attacks, 'attack')} ({reasons})."
        if self._topped_off.startswith(f"{name} "):
            told, self._topped_off = f"{self._topped_off} and {told}", ""
            return told
        return f"{name} {told}"

    def _tell_move(self, state: BattleState, event: ev.Moved) -> str:
        table, acting = state.table, self._acting
        payer = event.source.player
        if event.why == "top-off" and payer is not None:
            names = table.names
            reasons = [f"{len(state.arena)} of {state.max_size(ARENA)} lay there"]
            previous = state.previous_player(state.player)
            if state.has(previous, Status.CRITICAL):
                reasons.append(f"half is enough, as {names[previous]} is Critical")
            reasons += [
                f"{number_word(status.top_off)} more, being {status}"
                for status in state.known_statuses(payer)
                if status.top_off
            ]
            if payer != state.player:
                reasons.append(f"for {names[state.player]}, being Confused")
            self._paid = payer, f"{spell(len(event.pucks))} ({'; '.join(reasons)})"
            return ""
        if event.why in _FOLDED_MOVES or event.why == "Health":
            return ""
        if event.why == "discard":
            return f"{table.names[state.player]} discards {names_of(table, event.pucks)}"
        if event.why == "shields":
            return f"{table.names[state.player]} lays {spell(len(event.pucks))} over the slammer"
        if acting is not None and acting.puck is not None and event.pucks == (acting.puck,):
            if event.target.kind is StackKind.HEALTH:
                owner = table.names[acting.player]
                acting.own = f"{owner}'s {table.pucks[acting.puck].name} goes to Health."
                return ""
            if event.target.kind is StackKind.PRIZE:
                return ""  # it is used up
        verb = "goes" if len(event.pucks) == 1 else "go"
        source, target = event.source, event.target
        player = None if acting is None else acting.player
        moved = names_of(table, event.pucks)
        if target.kind is StackKind.SLAMMER:
            return f"{moved} becomes the slammer"
        start = _place(state, source, player)
        end = _place(state, target, player if source.player is None else source.player)
        left = "" if source.kind is StackKind.SLAMMER else f" from {start}"
        return f"{moved} {verb}{left} to {end}"

    def _tell_gain(self, state: BattleState, event: ev.StatusGained) -> str:
        name, status = state.table.names[event.player], self._status(event.status)
        if self._acting is None and self._paid is not None and event.player == self._paid[0]:
            (_, words), self._paid = self._paid, None
            return f"{name} has only {words} for the Arena and becomes {status}"
        if event.why == "no puck left to top off with":
            return f"{name} has nothing for the Arena and becomes {status}"
        if event.status == Status.SLEEP:
            return f"{name} falls asleep"
        return f"{name} becomes {status}"

    def _tell_loss(self, state: BattleState, event: ev.StatusLost) -> str:
        name = state.table.names[event.player]
        if event.why == str(Status.CRITICAL):
            return ""
        if event.status == Status.SLEEP and event.why == "flipped a puck":
            return f"{name} wakes up and picks nothing up"
        if event.status == Status.SLEEP:
            return f"{name} wakes up"
        if event.why == "top-off" and self._paid is not None:
            (_, words), self._paid = self._paid, None
            status = self._status(event.status)
            return f"{name} fills up the Arena with {words} and is no longer {status}"
        return f"{name} is no longer {self._status(event.status)}"

    def _note_attacks(self, state: BattleState, event: ev.AttacksSet) -> str:
        if event.why == "turn":
            self._gains, self._losses = [], []
            return ""
        fewer = state.turn.attacks - event.attacks
        if fewer > 0:
            self._losses.append(f"{event.why} takes {number_word(fewer)} away")
        else:
            self._gains.append(event.why)
        return ""

    def _tell_matchup(self, state: BattleState, event: ev.MatchupSet) -> str:
        before, after = state.turn.matchup, event.matchup
        if not event.why or before == after:
            return ""
        if before.type is not after.type:
            return f"the slammer counts as {after.type or 'none'}"
        if before.weakness is not after.weakness:
            return f"the next slammer counts as weak to {after.weakness or 'nothing'}"
        return f"the next slammer counts as resistant to {after.resistance or 'nothing'}"

    def _tell_throw(self, state: BattleState, event: ev.Thrown) -> str:
        table, thrower = state.table, state.table.names[event.player]
        flipped = [event.targets[index] for index in event.outcome.flipped]
        if state.attack is not None and state.attack.knock_out:
            return self._knock_out(state, event, flipped)
        if not event.outcome.hit:
            return f"{thrower} misses"
        if not flipped:
            return f"{thrower} flips nothing"
        names = names_of(table, flipped)
        if all(table.pucks[puck].design.kind is DesignKind.PLAIN for puck in flipped):
            return f"{thrower} flips {names}"
        return f"{thrower} flips {number_word(len(flipped))}: {names}"

    def _knock_out(self, state: BattleState, event: ev.Thrown, flipped: Sequence[int]) -> str:
        table, target = state.table, event.targets[0]
        thrower, defender = table.names[event.player], table.names[state.player]
        if target in flipped:
            out = self._bold(f"{defender} is knocked out")
            return f"{thrower} throws at {defender}'s slammer and flips it: {out}"
        if not event.outcome.hit:
            return f"{thrower} throws at {defender}'s slammer and misses"
        taken = f"; {thrower} takes {names_of(table, flipped)}" if flipped else ""
        return f"{thrower} throws at {defender}'s slammer, which does not flip{taken}"

    def _tell_end(self, state: BattleState, event: ev.AttackEnded) -> str:
        """Say how many of the flipped pucks were picked up, unless all were, or it was told."""
        del event
        attack = state.attack
        if attack is None or attack.knock_out or attack.barred or not attack.flipped:
            return ""
        left = [
            puck for puck in attack.flipped if puck not in attack.picked and puck in state.arena
        ]
        if not left:
            return ""
        taken = names_of(state.table, attack.picked) or "nothing"
        return f"{state.table.names[attack.player]} picks up {taken}"


def _place(state: BattleState, place: Place, player: int | None) -> str:
    """Return the name of a stack; that of the acting player needs no name."""
    if place.player is not None and place.player == player:
        return "the collection" if place.kind is StackKind.COLLECTION else str(place.kind)
    if place == ARENA or place.player is None:
        return place_name(state, place)
    return f"{state.table.names[place.player]}'s {place.kind}"


def _set_up_lines(state: BattleState) -> Iterator[str]:
    table, options = state.table, state.table.options
    teams = []
    for player in table.turn_order:
        slammer = state.slammer(player)
        assert slammer is not None
        mates = [puck for puck in state.power(player) if table.is_slammer(puck)]
        beside = f" (in Power: {names_of(table, mates)})" if mates else ""
        own = table.pucks[slammer].name
        name = table.names[player]
        teams.append(f"{name}{f' with {own}' if own != name else ''}{beside}")
    kind = {Mode.BATTLE: "A battle", Mode.TRAINING: "A training battle", Mode.WILD: "A wild battle"}
    joined = " against ".join(teams) if table.players == MIN_PLAYERS else ", ".join(teams)
    yield f"{kind[options.mode]}: {joined}."
    if options.is_wild:
        yield "There is no Health and no Arena; pucks in Power may be laid over the slammer."
    else:
        counts = [options.buy_in_of(player, table.players) for player in table.turn_order]
        if len(set(counts)) == 1:
            brought = f"Everybody brings {spell(counts[0])}"
        else:
            names = (table.names[player] for player in table.turn_order)
            brought = ", ".join(f"{n} brings {c}" for n, c in zip(names, counts, strict=True))
            brought += " pucks; everybody"
        laid = len(state.arena) // table.players
        prizes = sum(len(state.prize(player)) for player in table.turn_order)
        rest = f"; {spell(prizes)} in all {'goes' if prizes == 1 else 'go'} to Prize"
        joined = " and" if brought.startswith("Everybody") else ""
        lays = f"{joined} lays {number_word(laid)} of them in the Arena"
        yield f"{brought}{lays}{rest * bool(prizes)}."
    yield f"{_standing(state)} {table.names[table.turn_order[0]]} begins."


def _standing(state: BattleState) -> str:
    """Return everybody's Health and the Arena, or in a wild battle everybody's Power."""
    names = state.table.names
    if state.table.options.is_wild:
        powers = ", ".join(f"{names[p]} {len(state.power(p))}" for p in state.playing)
        return f"Power: {powers}."
    parts = ", ".join(
        f"{names[p]} {len(state.health(p))} of {state.max_size(health(p))}" for p in state.playing
    )
    return f"Health: {parts}. Arena: {len(state.arena)} of {state.max_size(ARENA)}."
