"""Battle-By-Post: a turn-based battle played by forum posts.

In come data files (species, moves, conditions, types), a battle's file and orders; out come exact
distributions of what follows, best answers, or whole battles. Begin with `engine.Battle`, whose
`step` serves exact odds and simulation; `search` has best replies and leads, `play` whole battles.
Section numbers and rulings (BP-n) in comments are those of docs/battle-by-post.md.
"""
