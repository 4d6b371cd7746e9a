"""The table of results: a row for each case, counts that add up, one file format for all.

A row begins with the columns that name its case, means and intervals follow, and the counts (or
the answer, see `Answer`) stand in one column at the end, as JSON. Only ``experiment``, ``id``,
``seed`` and ``counts`` are read back (and what a stop rule left, ``interval_z`` and
``stopped_by``); means are computed again.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from pucklab.base.decoding import decode, encode
from pucklab.base.errors import InputError, shown
from pucklab.base.facts import fact
from pucklab.base.files import version
from pucklab.base.parsing import json_text, parse_json
from pucklab.base.tables import TableRow, csv_text, read_rows
from pucklab.physics.tally import Counts
from pucklab.sim.experiments.columns import flat_cells
from pucklab.sim.experiments.estimates import Z_95, Z_DECIDED, Z_LOOKED
from pucklab.sim.experiments.experiment import Answer, Case, Cell, Experiment, Value

_Tally = TypeVar("_Tally", bound=Counts)

COUNTS_CHARS = 130_000
"""Longest text of one row's counts; the csv module reads no longer ones."""

_QUANTILES = {f"{z:g}": z for z in (Z_LOOKED, Z_DECIDED)}
_NEEDED = ("experiment", "id", "seed", "counts")
_SEEDS = re.compile(r"\d{1,19}(:\d{1,15}( \d{1,19}:\d{1,15})*)?")


@fact
class Entry(Generic[_Tally]):
    """Counts of a case, and the trials that were counted."""

    tally: _Tally
    seeds: Mapping[int, int]  # trials by seed: several after a merge
    z: float = Z_95  # quantile of the intervals
    stopped_by: str = ""  # the stop rule that ended the case
    where: str = field(default="", compare=False)  # file and line, if it was read


@fact
class Row:
    """The place of a case in a table; equal cases have rows of their own and one entry."""

    id: str
    labels: Mapping[str, Cell]


@dataclass(slots=True, kw_only=True)
class ResultTable(Generic[_Tally]):
    """The rows of an experiment, and the counts of each so far.

    Example:
        >>> from pucklab.sim.experiments.run import run_to_end
        >>> from pucklab.sim.trail.board import Board
        >>> from pucklab.sim.trail.match import Setup
        >>> from pucklab.sim.trail.odds import TRAIL, Seating, trail_case
        >>> alone = Setup(board=Board(last=6), names=("Ash",))
        >>> case = trail_case(Seating(setup=alone, policies=("quick",)))
        >>> print(run_to_end(TRAIL, [case], trials=4).csv().partition(",trials,")[0])
        board,players,policies
    """

    experiment: Experiment[Any, _Tally]
    rows: list[Row]
    seed: int
    entries: dict[str, Entry[_Tally]] = field(default_factory=dict)
    is_open: bool = False  # the run finds its next cases by itself, and adds them

    def add(self, cases: Sequence[Case[Any]]) -> list[str]:
        """Add rows for the cases that have none yet, and return the ids of all cases."""
        ids, own = self.experiment.ids(cases), {row.id for row in self.rows}
        self.rows += [Row(id=id_, labels=case.labels)
                      for id_, case in zip(ids, cases, strict=True) if id_ not in own]  # fmt: skip
        return ids

    def check_shapes(self, cases: Sequence[Case[Any]]) -> None:
        """Check that counts from a file have the shape of their case, such as the stack's size.

        Raises:
            InputError: They do not; the message names the line.
        """
        own, subjects = self.experiment, [case.subject for case in cases]
        if not self.entries or issubclass(own.tally, Answer):
            return
        # A run of no trials tells the shape of all others.
        empty = own.run(subjects, 0, 0, 0) if own.together else (
            own.run(subject, 0, 0, 0) for subject in subjects)  # fmt: skip
        for id_, none in zip(own.ids(cases), empty, strict=True):
            if entry := self.entries.get(id_):
                _add(none, entry)

    def entry(self, index: int) -> Entry[_Tally] | None:
        """Return the counts of a row; None before its first trial."""
        return self.entries.get(self.rows[index].id)

    @property
    def trials(self) -> int:
        """Trials over all different cases."""
        return sum(entry.tally.trials for entry in self.entries.values())

    @property
    def is_complete(self) -> bool:
        """True if every row has trials."""
        return all(row.id in self.entries for row in self.rows)

    def tallies(self) -> list[_Tally]:
        """Return the tally of each row; all must have trials."""
        return [self.entries[row.id].tally for row in self.rows]

    def add_tally(self, id_: str, tally: _Tally) -> None:
        """Add trials to a case's tally."""
        before = self.entries.get(id_)
        self.set_tally(id_, before.tally + tally if before else tally)

    def set_tally(self, id_: str, tally: _Tally, *, stopped_by: str = "", z: float = Z_95) -> None:
        """Replace a case's tally by a longer one of the same seed."""
        before = self.entries.get(id_)
        # A run that was once looked at keeps the intervals that pay for it.
        z = max(z, before.z if before else 0.0)
        seeds = {self.seed: tally.trials}
        self.entries[id_] = Entry(tally=tally, seeds=seeds, z=z, stopped_by=stopped_by)

    def done(self) -> list[tuple[Row, Entry[_Tally]]]:
        """Return the rows with trials."""
        return [(row, self.entries[row.id]) for row in self.rows if row.id in self.entries]

    def values(self) -> list[dict[str, Value]]:
        """Return the values of each row with trials, by column, without counts and origin."""
        found = []
        for row, entry in self.done():
            values: dict[str, Value] = dict(row.labels)
            if not isinstance(entry.tally, Answer):
                values["trials"] = entry.tally.trials
            values |= self.experiment.columns(entry.tally, entry.z)
            if entry.stopped_by or entry.z != Z_95:
                values |= {"interval_z": entry.z, "stopped_by": entry.stopped_by}
            found.append(values)
        return found

    def records(self) -> list[dict[str, Cell]]:
        """Return the cells of each row with trials, by column of the file."""
        return list(map(flat_cells, self.values()))

    def facts(self) -> list[dict[str, Any]]:
        """Return the rows with trials for JSON, with None for empty cells."""
        return [
            {name: None if cell == "" else cell for name, cell in cells.items()}
            | {"seed": _seeds_text(entry.seeds), "counts": encode(entry.tally)}
            for (_, entry), cells in zip(self.done(), self.records(), strict=True)
        ]

    def csv(self) -> str:
        """Return the text of the file."""
        origin = {"experiment": self.experiment.tag, "version": version()}
        rows: list[dict[str, Cell]] = [
            cells
            | {"seed": _seeds_text(entry.seeds), **origin, "id": row.id}
            | {"counts": json_text(encode(entry.tally), separators=(",", ":"))}
            for (row, entry), cells in zip(self.done(), self.records(), strict=True)
        ]
        # Rows may lack columns that others have: the widest row gives their order.
        names = max(map(list, rows), key=len, default=[])
        names[-5:-5] = dict.fromkeys(n for row in rows for n in row if n not in names)
        return csv_text(names, rows)

    def resume(self, text: str, where: str) -> None:
        """Take over the counts of a file of the same cases and seed.

        Args:
            text: The file's text.
            where: Name of the file in errors.

        Raises:
            InputError: The file is no table of this experiment, or has trials of other cases,
                seeds or versions, which would be lost or mixed.
        """
        saved = read_table(text, where, self.experiment)
        own = {row.id for row in self.rows}
        for row in saved.rows:
            entry = saved.entries[row.id]
            if len(entry.seeds) > 1:
                raise InputError(
                    f"{where} was merged from several seeds; run another --seed into a file of its "
                    "own, and merge it too"
                )
            if self.seed not in entry.seeds:
                raise InputError(
                    f"{where} has trials of seed {next(iter(entry.seeds))}, which would be lost; "
                    f"this is seed {self.seed}; give another file"
                )
            if row.id not in own and not (self.is_open and saved.rows[0].id in own):
                raise InputError(
                    f"{where} has trials of another case, which would be lost: "
                    f"{_nearest(row, self.rows)}; give another file"
                )
        if self.experiment.together and len(saved.entries) < len(own):
            raise InputError(f"{where} lacks a row of its run; give another file")
        self.entries = {id_: entry for id_, entry in saved.entries.items() if entry.tally.is_final}
        if self.is_open:
            self.rows = saved.rows


def table_of(
    experiment: Experiment[Any, _Tally], cases: Sequence[Case[Any]], seed: int
) -> ResultTable[_Tally]:
    """Return the empty table of some cases."""
    table = ResultTable(experiment=experiment, rows=[], seed=seed)
    table.add(cases)
    return table


def read_table(text: str, where: str, experiment: Experiment[Any, _Tally]) -> ResultTable[_Tally]:
    """Read a file of `ResultTable.csv` back, or several joined, whose trials add up.

    Raises:
        InputError: It is no table, or one of another experiment or version, its counts are
            damaged, or trials are in it twice; the message names the row.
    """
    runs: dict[str, dict[str, Entry[_Tally]]] = {}  # by seed
    read: list[tuple[str, dict[str, str]]] = []
    columns = {*_NEEDED, "trials", "version", "interval_z", "stopped_by"}
    for row in read_rows(text, where, _NEEDED, longest=COUNTS_CHARS):
        cells = row.cells
        if cells["experiment"] != experiment.tag:
            raise InputError(
                f"{where} has results of {shown(cells['experiment'])}, this is "
                f"{experiment.tag!r}; give another file"
            )
        counts = f"{row.place}, column counts"
        tally = decode(experiment.tally, parse_json(cells["counts"], counts), counts)
        entry = Entry(
            tally=tally,
            seeds=_read_seeds(row, tally.trials),
            z=_QUANTILES.get(cells.get("interval_z", "").removesuffix(".0"), Z_95),
            stopped_by=cells.get("stopped_by", ""),
            where=counts,
        )
        id_, run = cells["id"], runs.setdefault(cells["seed"], {})
        try:
            if not (experiment.together and id_ in run):
                tally.check([own.tally for own in run.values()] if experiment.together else ())
            columns |= flat_cells(experiment.columns(tally, entry.z)).keys()
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise InputError(f"{counts}: damaged: {error}") from None
        if run.setdefault(id_, entry) != entry:
            run[id_] = _join(run[id_], entry, row.place)
        read.append((id_, cells))
    if not read:
        raise InputError(f"{where} has no row of results")
    entries: dict[str, Entry[_Tally]] = {}
    for id_, entry in (own for run in runs.values() for own in run.items()):
        entries[id_] = _join(entries[id_], entry, where) if id_ in entries else entry
    rows: dict[object, Row] = {}
    for id_, cells in read:  # the other columns name the case, where they say anything
        labels = {name: cell for name, cell in cells.items() if cell and name not in columns}
        rows.setdefault((id_, frozenset(labels.items())), Row(id=id_, labels=labels))
    return ResultTable(
        experiment=experiment,
        rows=[*rows.values()],
        seed=min(entries[read[0][0]].seeds),
        entries=entries,
    )


def experiment_in(text: str, where: str) -> str:
    """Return the name of the experiment of a table's text, without its version."""
    row = next(read_rows(text, where, ["experiment"], longest=COUNTS_CHARS), None)
    return row.cells["experiment"].partition(" (")[0].rpartition(" ")[0] if row else ""


def merge_tables(tables: Sequence[tuple[str, ResultTable[_Tally]]]) -> ResultTable[_Tally]:
    """Return the sum of tables of the same cases with different seeds, or all answers of several.

    Args:
        tables: Name of the file, and table, of each; one or more.

    Raises:
        InputError: A case is not in all of them, with the difference named, or trials of one seed
            are in two of them, or two answers to a case differ.
    """
    where, first = tables[0]
    rows, entries = [*first.rows], dict(first.entries)
    for name, table in tables[1:]:
        for a, b, at in ((first, table, where), (table, first, name)):
            for row in () if issubclass(first.experiment.tally, Answer) else a.rows:
                if row.id not in b.entries:
                    raise InputError(
                        f"{at} has a case that another file lacks: {_nearest(row, b.rows)}"
                    )
        rows += [row for row in table.rows if row.id not in entries]
        for id_, entry in table.entries.items():
            entries[id_] = _join(entries[id_], entry, name) if id_ in entries else entry
    return replace(first, rows=rows, entries=entries)


def _join(old: Entry[_Tally], new: Entry[_Tally], where: str) -> Entry[_Tally]:
    """Return the sum of the trials of a case, or the final one of two answers to it."""
    if isinstance(new.tally, Answer):
        if old.tally.is_final and new.tally.is_final and new.tally != old.tally:
            raise InputError(f"{where} has another answer than {old.where or 'an earlier file'}")
        return old if old.tally.is_final else new
    for seed in old.seeds.keys() & new.seeds.keys():
        raise InputError(f"{where} has trials of seed {seed}, and so has an earlier one")
    seeds, z = {**old.seeds, **new.seeds}, max(old.z, new.z)
    return replace(old, tally=_add(old.tally, new), seeds=seeds, z=z, stopped_by="")


def _add(tally: _Tally, read: Entry[_Tally]) -> _Tally:
    """Return the counts of an entry added to others."""
    try:
        return tally + read.tally
    except ValueError:
        raise InputError(f"{read.where}: not of the shape of its case") from None


def _seeds_text(seeds: Mapping[int, int]) -> str:
    """Return the seed, or seeds with their trials such as ``1:500 2:1000``."""
    if len(seeds) == 1:
        return str(next(iter(seeds)))
    return " ".join(f"{seed}:{trials}" for seed, trials in sorted(seeds.items()))


def _read_seeds(row: TableRow[dict[str, str]], trials: int) -> dict[int, int]:
    text = row.cells["seed"]
    if not _SEEDS.fullmatch(text):
        raise row.error("seed", f"{shown(text)} is not accepted; give such as 1 or 1:500 2:90")
    pairs = [part.partition(":") for part in text.split(" ")]
    seeds = {int(seed): int(number or trials) for seed, _, number in pairs}
    if sum(seeds.values()) != trials:
        raise row.error("seed", f"{shown(text)} does not add up to {trials} trials")
    return seeds


def _nearest(row: Row, others: Sequence[Row]) -> str:
    """Return the difference of a case from the most similar one of some others."""

    def differences(other: Row) -> list[str]:
        names = dict.fromkeys((*row.labels, *other.labels))
        pairs = [(n, str(row.labels.get(n, "")), str(other.labels.get(n, ""))) for n in names]
        return [f"{n} {a or 'default'} and {b or 'default'}" for n, a, b in pairs if a != b]

    nearest = min(map(differences, others), key=len)
    return ", ".join(nearest) or "settings that no column shows"
