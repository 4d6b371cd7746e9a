"""``python -m sim.cli``: the ``pucklab`` command."""

from sim.cli import main

main()
