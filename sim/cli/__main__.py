"""``python -m pucklab.sim.cli``: the ``pucklab`` command."""

from pucklab.sim.cli import main

main()
