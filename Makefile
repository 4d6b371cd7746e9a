.PHONY: demo test slow benchmark

demo:
	python3 -m venv .venv && .venv/bin/pip install -q '.[play,plot]' && .venv/bin/pucklab slam --slammer onix --seed 2 --trial 347 --save slam.html && .venv/bin/pucklab odds --slammer all --out odds.csv --plot odds.png

test:
	python3 -m venv .venv && .venv/bin/pip install -q -e '.[test]' && .venv/bin/python -m pytest -q -n auto

slow:
	.venv/bin/python -m pytest -q -n auto -m slow

benchmark:
	.venv/bin/python -m pytest -q tests/benchmarks --benchmark-enable --benchmark-only
