"""A checker of battles that shares no code with the rules: it reads JSON only.

`check_battle` takes a set-up and the events of a battle as JSON, moves the pucks by itself, and
checks every event against the rulebook and the rulings, whose numbers stand beside the checks. The
battle's own states, its reducer and its rules are never asked.
"""

from collections import Counter

SLAMMERS = {"pokemon", "ball", "slammer"}
TO_POWER = {"item", "trainer"}
OFTEN = {
    "Thunder Wave", "Thunder Wave's flip", "Sing", "Sing's flip", "Poison Cloud",
    "Poison Cloud's flip", "Swift", "Mr. Saia", "Ms. Hicks", "Sandbag", "Pokéball",
    "Defense Curl's pick-up less",
}  # fmt: skip
"""Rules that may act more than once a turn with a puck."""

OUT_OF_TURN = {"Leech Seed", "Mr. Saia", "Ms. Hicks", "Berry", "Sandbag", "Pokéball"}
"""Rules that act in another player's turn."""

PICKED = {"Berry", "Sandbag"}
"""Rules that act when their puck is picked up, in whichever stack it is."""

SUPPORT = {"Surf"}
OVERFILL = {"Surf", "Pay Day", "Ms. Hicks", "Mr. Saia", "top-off", "put back", "knock-out"}
DEFAULTS = {
    "mode": "battle", "buy_in": None, "health_cap": 10, "critical_ends": "paid",
    "critical_clears": True, "keeps": None, "max_turns": 250, "slammers_picked_to": "power",
    "puckdex": True, "puckmart": True, "balls_catch": "always", "health_face": "up",
    "full_heal_discards": False, "switch_from": "power", "plain_shields": True,
    "focus_any_type": False, "first_turn_ko": True, "first": "",
}  # fmt: skip


class BrokenRuleError(AssertionError):
    """An event that breaks a rule."""


def check_battle(table, events):
    """Check a whole battle.

    Args:
        table: The set-up.
        events: Every event, in order, from the first of the set-up to the end.

    Raises:
        BrokenRuleError: An event breaks a rule; the message has its number and the event.
    """
    checker = Checker(table)
    for number, event in enumerate(events, start=1):
        try:
            getattr(checker, f"on_{event['event'].lower()}")(event)
            checker.check_stacks(event)
        except (AssertionError, KeyError, ValueError, IndexError) as error:
            raise BrokenRuleError(f"event {number}: {event}: {error!r}") from error
    try:
        checker.check_end()
    except AssertionError as error:
        raise BrokenRuleError(f"at the end: {error!r}") from error


class Checker:
    """A battle as far as its events tell it."""

    def __init__(self, table):
        self.names = table["names"]
        self.players = len(self.names)
        self.options = {**DEFAULTS, **table["options"]}
        self.wild = self.options["mode"] == "wild"
        keeps = self.options["keeps"]
        self.keeps = self.options["mode"] != "training" if keeps is None else keeps
        self.designs = [table["designs"][puck[0]] for puck in table["pucks"]]
        self.owners = [puck[1] for puck in table["pucks"]]
        self.homes = [
            puck[1] if puck[1] is not None else (*puck, None)[2] for puck in table["pucks"]
        ]
        self.own_rules = {rule["name"]: rule for rule in table.get("rules", [])}
        self.stacks = {}
        for number, owner in enumerate(self.owners):
            self.stacks.setdefault(self.collection(owner), []).append(number)
        first = table.get("first") or 0
        self.order = [*range(first, self.players), *range(first)]
        self.playing = list(range(self.players))
        self.sizes = {}
        self.statuses = [[] for _ in range(self.players)]
        self.effects = [[] for _ in range(self.players)]
        self.step = "set-up 6: slammers" if self.wild else "set-up 3: Health"
        self.number, self.player = 0, self.order[0]
        self.had_turn = set()
        self.payer = None
        self.topper = self.missing = self.available = 0
        self.throws = 0
        self.attack = None
        self.over = ""
        self.laid = 0
        self.begin_turn()

    def begin_turn(self):
        self.attacks = self.made = self.granted = self.grants_used = 0
        self.used = []
        self.paid = None
        self.whys = []
        self.matchup = None
        self.asleep = False
        self.knocked = False
        self.picked = []

    @staticmethod
    def collection(owner):
        return "the collection" if owner is None else f"collection {owner}"

    def stack(self, place):
        return self.stacks.setdefault(place, [])

    def kind(self, puck):
        return str(self.designs[puck]["kind"])

    def slammer(self, player):
        (puck,) = self.stack(f"slammer {player}")
        return puck

    def neighbour(self, player, way):
        other = (player + way) % self.players
        while other not in self.playing:
            other = (other + way) % self.players
        return other

    def check_stacks(self, event):
        """Conservation: every puck is in one stack; sizes: PP-42 and 'max size of 1'."""
        if event["event"] not in {"Moved", "PickedUp", "Arranged"}:
            return
        found = sorted(puck for stack in self.stacks.values() for puck in stack)
        assert found == list(range(len(self.designs))), "a puck is lost or there twice"
        for player in range(self.players):
            assert len(self.stack(f"slammer {player}")) <= 1
            size = self.sizes.get(f"Health {player}")
            assert size is None or len(self.stack(f"Health {player}")) <= size, "PP-42: Health"

    def move(self, pucks, source, target, under=False):
        assert len(set(pucks)) == len(pucks)
        for puck in pucks:
            self.stack(source).remove(puck)
            if under:
                self.stack(target).insert(0, puck)
            else:
                self.stack(target).append(puck)

    def on_stepbegan(self, event):
        self.check_step_of_set_up()
        if self.step == "1: top-off":
            self.check_top_off()
        if self.step == "4: attacks" and event["step"] == "after attacks":
            assert self.made == self.attacks, "all attacks are made"
        if self.step == "3: count attacks":
            self.check_count()
        if self.step == "2: knock-out" and self.knocked:
            assert self.player not in self.playing, "step 2: out of the battle"
        self.step = event["step"]
        if self.step == "1: top-off":
            self.note_missing()
        if self.step == "over":
            assert self.over

    def check_step_of_set_up(self):
        if self.step == "set-up 3: Health":
            for player in range(self.players):
                assert len(self.stack(f"Health {player}")) == self.buy_in(player), "PP-1"
        if self.step == "set-up 5: Arena":
            assert len(self.stack("Arena")) >= 8, "PP-2"
            assert self.laid % self.players == 0, "PP-2: whole rounds"
        if self.step == "set-up 6: slammers":
            assert all(len(self.stack(f"slammer {p}")) == 1 for p in range(self.players))
        if self.step == "set-up 7: Prize" and not self.wild:
            cap = self.options["health_cap"]
            assert all(len(self.stack(f"Health {p}")) <= cap for p in range(self.players)), "PP-3"

    def buy_in(self, player):
        given = self.options["buy_in"]
        if isinstance(given, list):
            return int(given[player])
        return max(16 - self.players, 11) if given is None else int(given)

    def check_top_off(self):
        """PP-5, PP-8, PP-16, PP-35: as many pucks as are missing, or all there were."""
        paid = self.paid or 0
        assert paid == min(self.missing, self.available), "step 1: the size of the top-off"
        if paid < self.missing and self.topper in self.playing:
            assert "Critical" in self.statuses[self.topper], "PP-5"

    def on_turnbegan(self, event):
        assert event["number"] == self.number + 1
        if self.number:
            assert self.grants_used == self.granted, "a granted attack is made"
            assert event["player"] == self.neighbour(self.player, 1), "PP-12: the next player"
            self.had_turn.add(self.player)
        else:
            assert event["player"] == self.order[0]
        assert len(self.playing) > 1
        self.number, self.player = event["number"], event["player"]
        self.begin_turn()

    def on_sizeset(self, event):
        place, size = event["place"], event["size"]
        if self.number:
            assert place == "Arena"
            assert event["why"] == "Focus Sash"
            own = self.stack(f"Health {self.player}")
            assert size == max(len(self.stack("Arena")) + len(own), 1)
            assert size < self.sizes["Arena"]
        else:
            assert size == len(self.stack(place)), "PP-4"
        self.sizes[place] = size

    def on_moved(self, event):
        pucks, source, target, why = (event[k] for k in ("pucks", "source", "target", "why"))
        assert pucks
        self.check_touch(pucks, source, target, why)
        if why == "top-off":
            self.check_payment(event)
        elif self.number == 0:
            self.check_set_up(pucks, source, target)
        elif why == "discard":
            assert self.step == "5: discards", "Battle Rules 4, PP-55"
            assert (source, target) == (f"Power {self.player}", f"Prize {self.player}")
        elif why == "shields":
            assert self.wild, "PP-51"
            assert source == f"Power {self.player}"
            if not self.options["plain_shields"]:
                assert all(self.kind(puck) != "plain" for puck in pucks)
        self.move(pucks, source, target, event["under"])
        grown = target == "Arena" and self.number and not self.wild
        if grown and len(self.stack("Arena")) > self.sizes["Arena"]:
            assert why in OVERFILL or why in self.own_rules, "PP-42: the Arena"

    def check_touch(self, pucks, source, target, why):
        """Battle Rules 3: pucks go from one player's stacks to another's through the Arena only."""
        start, end = source.split(" "), target.split(" ")
        if not (start[-1].isdecimal() and end[-1].isdecimal()) or start[-1] == end[-1]:
            return
        assert end[0] == "collection", "Battle Rules 3"
        assert not self.keeps, "PP-22"
        assert all(self.homes[puck] == int(end[-1]) for puck in pucks), "PP-22, PP-60"
        assert why in {"knocked out", "won", "draw"}

    def check_set_up(self, pucks, source, target):
        kinds = {self.kind(puck) for puck in pucks}
        if self.step == "set-up 3: Health":
            assert source.startswith(("collection ", "the collection"))
            assert target.startswith("Health "), "step 3"
            assert not kinds & SLAMMERS
        elif self.step == "set-up 5: Arena":
            expected = self.order[self.laid % self.players]
            assert (source, target, len(pucks)) == (f"Health {expected}", "Arena", 1), "step 5"
            self.laid += 1
        elif self.step == "set-up 6: slammers":
            assert kinds <= SLAMMERS, "step 6"
            if target.startswith("Power "):
                assert len(self.stack(target)) + len(pucks) <= (1 if self.wild else 2)
                assert not self.wild or kinds == {"ball"}, "PP-25"
        elif self.wild:
            assert target.startswith("Power ")
            assert len(pucks) <= 5
        else:
            assert (source[:6], target[:5]) == ("Health", "Prize"), "PP-3"

    def check_payment(self, event):
        assert self.step == "1: top-off"
        assert event["target"] == "Arena"
        assert event["under"], "max size: pucks go to the bottom"
        assert event["source"] == f"Health {self.topper}", "PP-15, PP-36: who pays"
        self.paid = len(event["pucks"])
        if self.options["health_face"] == "down":
            assert event["pucks"] == self.stack(event["source"])[::-1][: self.paid], "PP-37"

    def note_missing(self):
        self.topper = self.player if self.payer not in self.playing else self.payer
        size = self.sizes["Arena"]
        if "Critical" in self.statuses[self.neighbour(self.player, -1)]:
            size = max(size // 2, 1)
        size += "Poisoned" in self.statuses[self.topper]
        self.missing = max(size - len(self.stack("Arena")), 0)
        self.available = len(self.stack(f"Health {self.topper}"))

    def check_count(self):
        """PP-13: types are compared, and whatever sets the number to one comes last."""
        assert self.matchup is not None
        kind, weak, resists = (self.matchup[k] for k in ("type", "weakness", "resistance"))
        assert ("weakness" in self.whys) == (kind is not None and kind == weak)
        assert "resistance" not in self.whys or (kind is not None and kind == resists)
        mine = self.statuses[self.player]
        assert "Paralyzed" not in self.whys or "Paralyzed" in mine
        self.asleep = "Sleep" in mine
        if self.asleep:
            assert self.attacks == 1, "PP-13: Sleep"
        missing_no = self.kind(self.slammer(self.player)) in {"ball", "slammer"}
        own_sets = any(
            rule["when"] == "setting the attacks to one" for rule in self.own_rules.values()
        )
        if missing_no and self.options["puckdex"] and not own_sets:
            assert self.attacks == 1, "PP-34"

    def on_matchupset(self, event):
        assert self.step == "3: count attacks"
        if not event["why"]:
            own = self.designs[self.slammer(self.player)]
            other = self.designs[self.slammer(self.neighbour(self.player, 1))]
            expected = {
                "type": own["type"], "weakness": other["weakness"],
                "resistance": other["resistance"],
            }  # fmt: skip
            assert event["matchup"] == expected, "step 3: the types compared"
        self.matchup = event["matchup"]

    def on_attacksset(self, event):
        assert self.step == "3: count attacks"
        before, after, why = self.attacks, event["attacks"], event["why"]
        assert after >= 1
        if why == "turn":
            assert after == 1, "step 3: one attack"
        elif why in {"weakness", "resistance", "Paralyzed"}:
            assert after - before == (1 if why == "weakness" else -1), why
        elif why == "Sleep":
            assert after == 1
        else:
            acted = {rule for _, rule, _ in self.used}
            acted |= {self.designs[puck]["name"] for _, _, puck in self.used if puck is not None}
            acted |= {rule.split("'s ")[0] for rule in acted}
            assert why in acted, "a special rule changes the number"
        self.attacks = after
        self.whys.append(why)

    def on_statusgained(self, event):
        player, status, why = event["player"], event["status"], event["why"]
        mine = self.statuses[player]
        assert status not in mine, "PP-17"
        assert self.wild or "Critical" not in mine, "PP-7"
        if status == "Critical" and self.options["critical_clears"] and not self.wild:
            assert not mine, "PP-7: the others are lost first"
        causes = {
            "Critical": {"no puck left to top off with", "wild battle", "Ms. Hicks"},
            "Sleep": {"Sing", "Rest"}, "Paralyzed": {"Thunder Wave"},
            "Poisoned": {"Poison Cloud"}, "Confused": set(),
        }  # fmt: skip
        assert why in causes[status] or why in self.own_rules
        if why == "wild battle":
            assert self.wild
            assert not self.number
        if why.startswith("no puck"):
            assert self.step == "1: top-off"
            assert (self.paid or 0) < self.missing, "PP-5"
        mine.append(status)

    def on_statuslost(self, event):
        assert not (self.wild and event["status"] == "Critical"), "PP-24"
        if event["why"] == "top-off":
            assert self.options["critical_ends"] != "never", "PP-6"
            assert (self.paid or 0) >= self.missing, "PP-6"
        self.statuses[event["player"]].remove(event["status"])

    def on_effectgained(self, event):
        if event["effect"] not in self.effects[event["player"]]:
            self.effects[event["player"]].append(event["effect"])

    def on_effectlost(self, event):
        self.effects[event["player"]].remove(event["effect"])

    def on_ruleused(self, event):
        player, name, puck = event["player"], event["rule"], event["puck"]
        assert self.number
        assert player in self.playing
        own = self.own_rules.get(name)
        elsewhere = own is not None and own["when"].startswith("after the previous player")
        in_knock_out = self.attack is not None and self.attack["knock_out"]
        assert player == self.player or name in OUT_OF_TURN or elsewhere
        assert not in_knock_out or name == "Pokéball", "PP-33"
        assert (player, name, puck) not in self.used or name in OFTEN, "PP-45"
        if puck is None:
            assert name in self.effects[player]
        else:
            self.check_carrier(player, name, puck, own)
        self.used.append((player, name, puck))

    def check_carrier(self, player, name, puck, own):
        kind, design = self.kind(puck), self.designs[puck]
        (place,) = (place for place, stack in self.stacks.items() if puck in stack)
        listing = own["listing"] if own else name.removesuffix("'s flip").removesuffix(" for two")
        if name in {"MissingNo.", "Pokéball"}:
            assert kind in ({"ball"} if name == "Pokéball" else {"ball", "slammer"}), "PP-34"
        else:
            assert design["rule"] == listing, "the puck has the rule"
        on_pick_up = name in PICKED or (own is not None and own["when"] == "after picking up")
        if on_pick_up:
            assert self.attack is not None
            assert puck in self.attack["taken"], "it was just picked up"
        elif kind in SLAMMERS:
            support = name in SUPPORT or (own is not None and own["kind"] == "support")
            assert place == f"slammer {player}" or (support and place == f"Power {player}")
        else:
            assert place == f"Power {player}", "Battle Rules 3 and 6"
        if kind in SLAMMERS:
            assert self.options["puckdex"], "PP-26"
        else:
            assert self.options["puckmart"], "PP-26"
        if kind == "trainer" and not on_pick_up:
            power = self.stack(f"Power {player}")
            assert sum(self.kind(p) == "trainer" for p in power) == 1, "only one Trainer works"
        if kind == "item" and name != "Sandbag":
            same = [
                p for who, rule, p in self.used
                if who == player and p is not None and rule != "Sandbag"
                and self.kind(p) == "item"
                and (self.designs[p]["rule"], self.designs[p]["type"])
                == (design["rule"], design["type"])
            ]  # fmt: skip
            assert not same, "Battle Rules 5, PP-43"

    def on_flagged(self, event):
        assert event["flag"]

    def on_payerset(self, event):
        player = event["player"]
        if player is not None:
            assert self.step == "after attacks"
            assert player == self.player
            assert "Confused" in self.statuses[player], "PP-15"
            assert not self.picked, "PP-15"
        self.payer = player

    def on_attackgranted(self, event):
        assert self.step in {"4: attacks", "after attacks"}
        rule = event["grant"]["rule"]
        assert rule in {name for _, name, _ in self.used}
        self.granted += 1

    def on_attackbegan(self, event):
        assert self.attack is None
        player, grant = event["player"], event["grant"] or {"most": None, "only": None}
        assert event["slammer"] == self.slammer(player)
        if event["knock_out"]:
            assert self.step == "2: knock-out"
            assert player == self.neighbour(self.player, -1), "PP-11"
            assert "Critical" in self.statuses[self.player], "step 2"
            assert self.options["first_turn_ko"] or player in self.had_turn, "PP-56"
        elif player != self.player:
            assert event["grant"]["rule"] == "Leech Seed", "PP-47"
            assert player == self.neighbour(self.player, 1)
        elif event["grant"] is None:
            self.made += 1
            assert self.made <= self.attacks, "step 4"
        else:
            self.grants_used += 1
            assert self.grants_used <= self.granted
        self.attack = {
            "player": player, "knock_out": event["knock_out"], "most": grant["most"],
            "only": grant["only"], "barred": False, "flipped": [], "inside": [], "out": [],
            "picked": [], "taken": [], "hit": False,
        }  # fmt: skip

    def on_declared(self, event):
        assert event["rule"] in {"Sing", "Thunder Wave", "Poison Cloud"}

    def on_thrown(self, event):
        attack = self.attack
        assert attack is not None
        self.throws += 1
        assert event["number"] == self.throws
        assert event["player"] == attack["player"]
        assert event["targets"], "PP-41"
        assert event["targets"] == self.stack("Arena"), "thrown at what lies there"
        attack["target"] = event["targets"][0] if attack["knock_out"] else None
        words = event["outcome"].split()
        if words[0] == "miss":
            assert int(words[1]) == len(event["targets"])
            return
        attack["hit"] = True
        landed = [(word[0], float(word[1:] or 0)) for word in words]
        pairs = list(zip(event["targets"], landed, strict=True))
        attack["flipped"] = [puck for puck, (face, _) in pairs if face == "U"]
        attack["out"] = [puck for puck, (face, _) in pairs if face == "O"]
        inside = sorted(
            ((mm, place, puck) for place, (puck, (face, mm)) in enumerate(pairs) if face != "O")
        )
        attack["inside"] = [puck for _, _, puck in inside]
        if attack["knock_out"]:
            self.knocked = attack["target"] in attack["flipped"]

    def on_throwskipped(self, event):
        attack = self.attack
        assert attack is not None
        assert event["player"] == attack["player"]
        assert not attack["knock_out"]
        assert not self.stack("Arena"), "PP-41"

    def on_landingchanged(self, event):
        attack = self.attack
        assert attack is not None
        assert event["why"] in {"Mr. Saia", "Ms. Hicks"}
        for key in ("flipped", "inside", "out"):
            attack[key] = event[key]
        assert sorted(event["inside"] + event["out"]) == sorted(self.stack("Arena"))

    def on_attacklimited(self, event):
        attack = self.attack
        assert attack is not None
        assert event["most"] >= 0
        assert attack["most"] is None or event["most"] <= attack["most"]
        attack["most"] = event["most"]

    def on_attackbarred(self, event):
        assert self.attack is not None
        assert event["why"] in {"Sleep", "Sing", "Thunder Wave", "Poison Cloud"}
        assert event["why"] != "Sleep" or self.asleep, "PP-14"
        self.attack["barred"] = True

    def on_pickedup(self, event):
        attack, player, puck = self.attack, event["player"], event["puck"]
        assert attack is not None
        if player == attack["player"]:
            assert puck in attack["flipped"], "step 4: only flipped pucks"
            assert not attack["barred"]
            assert not (self.asleep and player == self.player and not attack["knock_out"]), "PP-14"
            assert attack["only"] is None or puck in attack["only"]
            attack["picked"].append(puck)
            assert attack["most"] is None or len(attack["picked"]) <= attack["most"]
            if attack["knock_out"]:
                assert self.wild
                assert not self.knocked, "PP-51"
        else:
            assert self.used[-1][:2] == (player, "Ms. Hicks")
            assert puck in attack["out"]
        attack["taken"].append(puck)
        if player == self.player:
            self.picked.append(puck)
        kind = self.kind(puck)
        power = kind in TO_POWER or (
            kind in SLAMMERS and self.options["slammers_picked_to"] == "power"
        )
        power = power and not self.wild
        assert event["target"] == f"{'Power' if power else 'Prize'} {player}", "PP-29"
        self.move([puck], "Arena", event["target"])

    def on_arranged(self, event):
        assert event["place"] == "Arena"
        arena, order = self.stack("Arena"), event["order"]
        assert sorted(order) == sorted(arena)
        if event["why"] == "restack":
            attack = self.attack
            assert attack is not None
            inside = [puck for puck in attack["inside"] if puck in arena]
            assert order[: len(inside)] == inside, "PP-19"
        else:
            assert self.used[-1][:2] == (self.player, "Mr. Smith")
        self.stacks["Arena"] = list(order)

    def on_attackended(self, event):
        del event
        attack = self.attack
        assert attack is not None
        if not attack["knock_out"] and not attack["barred"]:
            caught = [p for p in attack["flipped"] if p not in attack["picked"]]
            left = [p for p in caught if p in self.stack("Arena")]
            left = [p for p in left if attack["only"] is None or p in attack["only"]]
            full = attack["most"] is not None and len(attack["picked"]) >= attack["most"]
            assert not left or full, "step 4: all that may be picked up are"
        self.attack = None

    def on_wentout(self, event):
        player = event["player"]
        if event["why"] == "knocked out":
            assert (player, self.knocked) == (self.player, True), "step 2"
        else:
            assert self.over == event["why"]
        for kind in ("Health", "Power", "Prize", "slammer"):
            assert not self.stack(f"{kind} {player}"), "all go home"
        self.playing.remove(player)
        self.statuses[player], self.effects[player] = [], []

    def on_won(self, event):
        assert self.playing == [event["player"]], "PP-31"
        self.over = "won"

    def on_drawn(self, event):
        assert event["turns"] == self.number
        assert self.number >= self.options["max_turns"] * self.players, "PP-23"
        self.over = "draw"

    def check_end(self):
        assert self.over
        assert not self.playing
        for place, stack in self.stacks.items():
            assert not stack or place == "the collection" or place.startswith("collection ")
        found = Counter(puck for stack in self.stacks.values() for puck in stack)
        assert found == Counter(range(len(self.designs)))
        if not self.keeps:
            for puck, home in enumerate(self.homes):
                assert puck in self.stack(self.collection(home)), "PP-22, PP-60: home"
