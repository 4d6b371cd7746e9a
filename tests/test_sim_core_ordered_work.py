"""Work in an executor: order, memory, and processes that die."""

from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor

import pytest

from pucklab.sim.core.ordered_work import WorkersDied, in_order


class DyingPool(Executor):
    """A pool whose processes die at given calls, counted over all of them.

    Attributes:
        restarts: How often it was started again.
        calls: Arguments of all calls, those that died included.
    """

    def __init__(self, *deaths):
        self._deaths = deaths
        self._broken = False
        self.restarts = 0
        self.calls = []

    def submit(self, function, /, *args, **kwargs):
        del kwargs
        if self._broken:
            raise BrokenExecutor
        future = Future()
        self.calls.append(args)
        if len(self.calls) in self._deaths:
            self._broken = True
            future.set_exception(BrokenExecutor())
        else:
            future.set_result(function(*args))
        return future

    def restart(self):
        self._broken = False
        self.restarts += 1


def numbers(count):
    return ((number,) for number in range(count))


@pytest.mark.parametrize("death", [1, 3, 10])
def test_the_work_of_a_dead_process_is_done_again(death):
    pool = DyingPool(death)
    assert list(in_order(abs, numbers(10), pool, window=4)) == list(range(10))
    assert pool.restarts == 1
    assert len(pool.calls) == 11


def test_a_second_death_ends_the_run_with_what_is_there():
    results = in_order(abs, numbers(10), DyingPool(3, 7), window=2)
    assert [next(results) for _ in range(4)] == [0, 1, 2, 3]
    with pytest.raises(WorkersDied):
        list(results)


def test_an_executor_that_cannot_be_started_again_ends_the_run():
    with ThreadPoolExecutor(1, initializer=lambda: 1 / 0) as pool, pytest.raises(WorkersDied):
        list(in_order(abs, numbers(3), pool))


def test_no_more_tasks_are_taken_than_fit_into_the_window():
    taken = []

    def tasks():
        for number in range(100):
            taken.append(number)
            yield (number,)

    results = in_order(abs, tasks(), DyingPool(), window=3)
    next(results)
    assert len(taken) == 3
    results.close()
