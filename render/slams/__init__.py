"""Slams as pictures: from the side and from above, as film strips, films and replays.

Data flows one way: a recording becomes a `motion.Motion`; at a time that is a `motion.Moment`,
which `sideview` and `topview` draw on any surface. `frame` puts both together with words,
`filmstrip` and `animation` make files of them, and `export` makes the file that its name asks for.
"""
