"""Battle-By-Post: a turn-based battle played by forum posts.

In come data files (species, moves, conditions, types), a battle's file and orders; out come exact
distributions of what follows, best replies, or a round by dice. Begin with `battle.Battle` and
`engine.Course`, whose steps serve exact odds and dice; `play` is the game for tables.
Section numbers and rulings (BP-n) in comments are those of docs/battle-by-post.md.
"""
