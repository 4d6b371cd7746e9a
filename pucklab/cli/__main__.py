"""``python -m pucklab.cli``: the ``pucklab`` command."""

from pucklab.cli import main

main()
