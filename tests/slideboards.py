"""Random boards of sliding pieces, drawn as text, and a breadth-first search on the drawing alone.

It knows nothing of mats, positions or rules: cells are pairs of row and column from the north-west.
"""

STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
LETTERS = "ROYGBV"


class Grid:
    """A drawn board: cells, walls (edges as pairs of cells) and pieces with their letters."""

    def __init__(self, rows, columns, holes, walls, pieces):
        self.rows, self.columns, self.holes, self.walls = rows, columns, holes, walls
        self.pieces = pieces  # cell -> letter

    def draw(self, goal=""):
        """Return the plain drawing."""
        lines = ["+" + "-+" * self.columns]
        for row in range(self.rows):
            cells, below = "|", "+"
            for column in range(self.columns):
                cell, east, south = (row, column), (row, column + 1), (row + 1, column)
                cells += "#" if cell in self.holes else self.pieces.get(cell, ".")
                is_last = column == self.columns - 1
                cells += "|" if is_last or frozenset((cell, east)) in self.walls else " "
                is_edge = row == self.rows - 1 or frozenset((cell, south)) in self.walls
                below += "-+" if is_edge else " +"
            lines += [cells, below]
        return "\n".join([*lines, *([f"goal: {goal}"] if goal else [])]) + "\n"

    def name(self, cell):
        """Return the name of a cell's square."""
        return "abcdefghijklmnopqrstuvwxyz"[cell[1]] + str(self.rows - cell[0])

    def slide(self, occupied, cell, step):
        """Return where a piece on a cell stops."""
        while True:
            there = cell[0] + step[0], cell[1] + step[1]
            inside = 0 <= there[0] < self.rows and 0 <= there[1] < self.columns
            if not inside or there in self.holes or there in occupied:
                return cell
            if frozenset((cell, there)) in self.walls:
                return cell
            cell = there


def random_grid(rng):
    """Return a random board of any shape with some pieces."""
    rows, columns = (int(rng.integers(2, 11)) for _ in range(2))
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    holes = {cell for cell in cells if rng.random() < 0.06}
    walls = {
        frozenset((cell, (cell[0] + down, cell[1] + right)))
        for cell in cells
        for down, right in ((1, 0), (0, 1))
        if rng.random() < 0.12
    }
    free = [cell for cell in cells if cell not in holes]
    count = min(int(rng.integers(1, 6)), len(free) - 2)
    chosen = rng.permutation(len(free))[: max(count, 1)]
    pieces = {free[int(n)]: LETTERS[int(rng.integers(3))] for n in chosen}
    return Grid(rows, columns, holes, walls, pieces)


def random_goal(rng, grid):
    """Return one to three targets: a cell, and a piece's cell, a letter, or None for any piece."""
    free = [
        (row, column)
        for row in range(grid.rows)
        for column in range(grid.columns)
        if (row, column) not in grid.holes
    ]
    starts = list(grid.pieces)
    targets = []
    for number in rng.permutation(len(free))[: int(rng.integers(1, 1 + min(3, len(starts))))]:
        which = [starts[int(rng.integers(len(starts)))], None][int(rng.random() < 0.3)]
        if which is not None and rng.random() < 0.4:
            which = grid.pieces[which]
        if not any(which == other for _, other in targets if isinstance(which, tuple)):
            targets.append((free[int(number)], which))
    return targets


def goal_text(grid, targets):
    """Return the targets as the commands take them."""
    texts = []
    for cell, which in targets:
        more = "" if which is None else which if isinstance(which, str) else grid.name(which)
        texts.append(f"to:{grid.name(cell)}" + (f":{more}" if more else ""))
    return ",".join(texts)


def is_reached(grid, targets, places):
    """Return whether all targets hold, given the places of the grid's pieces in their order."""
    starts = list(grid.pieces)
    for cell, which in targets:
        there = [starts[n] for n, place in enumerate(places) if place == cell]
        if not there or (isinstance(which, tuple) and there[0] != which):
            return False
        if isinstance(which, str) and grid.pieces[there[0]] != which:
            return False
    return True


def moves(grid, places):
    """Yield the places after each move."""
    for number, cell in enumerate(places):
        for step in STEPS.values():
            end = grid.slide(places, cell, step)
            if end != cell:
                yield (*places[:number], end, *places[number + 1 :])


def shortest(grid, targets, most_states):
    """Search breadth-first until some states are met.

    Pieces of a letter are interchangeable unless a target names one of them.

    Returns:
        The length within which all was tried, that of a shortest solution, or None, and how many
        lines of that length are solutions.
    """
    starts = tuple(grid.pieces)
    named = {which for _, which in targets if isinstance(which, tuple)}
    classes = [str(cell if cell in named else grid.pieces[cell]) for cell in starts]
    if is_reached(grid, targets, starts):
        return 0, 0, 1
    front, depth = {frozenset(zip(classes, starts, strict=True)): (starts, 1)}, 0
    seen = set(front)
    while front and len(seen) < most_states:
        following, solutions = {}, 0
        for places, ways in front.values():
            for after in moves(grid, places):
                key = frozenset(zip(classes, after, strict=True))
                if is_reached(grid, targets, after):
                    solutions += ways
                elif key not in seen:
                    following[key] = after, following.get(key, (after, 0))[1] + ways
        depth += 1
        if solutions:
            return depth, depth, solutions
        seen |= following.keys()
        front = following
    return depth, None, 0
