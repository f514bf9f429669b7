"""Processes that judge problems, and can be ended when a problem takes too long."""

import multiprocessing
import signal

from fuzz.cases import make_case
from fuzz.judge import Outcome, judge

# The bar for a problem, in seconds of the processor; and of the clock, for a process that waits for ever.
MOST_SECONDS = 20
MOST_CLOCK = 240


def serve(pipe):
    """Judge what comes through the pipe until nothing more comes."""
    # The default action ends the process, even within a compiled loop that never looks at Python's signals.
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    while True:
        case = pipe.recv()
        if case is None:
            return
        signal.setitimer(signal.ITIMER_PROF, 2 * MOST_SECONDS)
        outcome = judge(case)
        signal.setitimer(signal.ITIMER_PROF, 0)
        pipe.send(outcome)


class Worker:
    """A process that judges; a problem that takes too long ends it, and the next one gets a new process."""

    def __init__(self):
        self.process = None
        self.start()

    def start(self):
        """Start the process, and let it compile what is compiled."""
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.get_context("spawn").Process(target=serve, args=(other,), daemon=True)
        self.process.start()
        other.close()
        for seed in range(12):  # loops are compiled, or read from the cache, at their first use
            self.send(make_case(seed))
            if self.pipe.poll(600):
                self.pipe.recv()

    def send(self, case):
        """Hand a problem over."""
        self.case = case
        self.pipe.send(case)

    def result(self):
        """What became of the problem."""
        try:
            if self.pipe.poll(MOST_CLOCK):
                outcome = self.pipe.recv()
                if outcome.seconds > MOST_SECONDS:
                    outcome.fault("slow", f"{outcome.seconds:.0f} s")
                return outcome
        except EOFError:
            pass
        self.close()
        outcome = Outcome(self.case.kind, self.case.table, self.case.seed, seconds=2.0 * MOST_SECONDS)
        outcome.fault("slow", f"ended after {2 * MOST_SECONDS} s of the processor, or it died")
        self.start()
        return outcome

    def judge(self, case):
        """Judge one problem, and wait for it."""
        self.send(case)
        return self.result()

    def close(self):
        """End the process."""
        self.process.kill()
        self.process.join()
