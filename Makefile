.PHONY: demo test slow benchmark check-kernels dist try-dist site

demo:
	python3 -m venv .venv && .venv/bin/pip install -q '.[play,plot]' && .venv/bin/pucklab play

test:
	python3 -m venv .venv && .venv/bin/pip install -q -e '.[test]' && .venv/bin/python -m pytest -q -n auto

slow:
	.venv/bin/python -m pytest -q -n auto -m slow

benchmark:
	.venv/bin/python -m pytest -q tests/benchmarks --benchmark-enable --benchmark-only

dist:
	rm -rf dist && .venv/bin/python -m build --no-isolation --outdir dist

try-dist:
	rm -rf build/try && mkdir -p build/try/empty && tar -xzf dist/pucklab-*.tar.gz -C build/try
	python3 -m venv build/try/venv && build/try/venv/bin/pip install -q dist/pucklab-*.whl
	cd build/try/empty && ../venv/bin/pucklab slam && ../venv/bin/pucklab solve pb1:small:RPb7.RMe7.BPd7:-:R:-
	$(MAKE) -C "$$(echo build/try/pucklab-*)" test

check-kernels:
	sudo apt-get update && sudo apt-get install -y qemu-user libc6-arm64-cross
	python -m venv .venv && .venv/bin/pip install -q -e '.[test,kernels]'
	.venv/bin/python -m tools.build_kernels --check
	.venv/bin/python -m pytest -q -m "slow or not slow" tests/test_base_kernels_elsewhere.py tests/test_base_kernels_fuzz.py

site:
	python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/pucklab site public
