"""Pictures of Puck Bumpers boards: a position or a line of moves in, a drawing, film or page out.

`board` places mats and pieces, `motion` animates moves, `svg` draws, `film` makes pixels of
drawings, `page` pages to step through, `cards` pages to print. No rules are decided here.
"""
