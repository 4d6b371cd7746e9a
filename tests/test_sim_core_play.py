"""The play loop: it asks, takes what is chosen, and stops for persons and at the end."""

from physics import InputError
from sim.core.play import Match, next_step, play_on, replay_steps
from tests.refusals import refused


class Countdown(Match[int, int, str]):
    """A game that subtracts answers from a number; a person answers at 3."""

    def __init__(self, number):
        self.number = number

    @property
    def question(self):
        return self.number or None

    def choose(self, question):
        return None if question == 3 else 1

    def step(self, answer):
        if not 0 < answer <= self.number:
            raise InputError(f"{answer} is not accepted")
        self.number -= answer
        return f"-{answer}"


def test_play_goes_on_to_the_question_of_a_person():
    game = Countdown(5)
    assert list(play_on(game)) == ["-1", "-1"]
    assert (game.question, next_step(game)) == (3, None)


def test_play_goes_on_to_the_end_after_the_persons_answer():
    game = Countdown(3)
    game.step(1)
    assert list(play_on(game)) == ["-1", "-1"]
    assert (game.question, next_step(game)) == (None, None)


def test_replaying_names_the_answer_that_is_not_legal():
    game = Countdown(5)
    steps = replay_steps(["2", "1", "7"], lambda text: game.step(int(text)), "answer")
    assert [next(steps), next(steps)] == ["-2", "-1"]
    refused(next, steps, said="record: answer 3: 7 is not accepted")
