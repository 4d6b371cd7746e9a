"""Tutorial: solving Puck Bumpers positions, and making puzzles, in four steps.

Run it as a script, or open it as a notebook: every `# %%` begins a cell.
"""

# %% [markdown]
# A position is one line of text: here a red puck on b7, a red meeple on e7, a blue puck on d7, and
# red to move. It prints as a board.

# %%
import pucklab

board = pucklab.position("pb1:small:RPb7.RMe7.BPd7:-:R:-")
print(board)
print("legal moves:", *board.moves())

# %% [markdown]
# The solver finds a shortest solution, and proves that none is shorter. A star marks the move that
# brings a puck in.

# %%
solved = pucklab.solve(board)
print(solved.text)
solved.draw("solution.png")

# %% [markdown]
# Cards turn, swap and shift the mats themselves. With a card in hand, a shorter way may open.

# %%
helped = pucklab.solve(board, cards="twist")
print(helped.actions, "actions with a card,", solved.actions, "without")

# %% [markdown]
# A puzzle is a position of a wanted length. It prints without its solution; the same seed gives
# the same puzzle.

# %%
puzzle = pucklab.puzzle(actions=4, unique=True, seed=3)
print(puzzle)
print("solution:", puzzle.solution)
