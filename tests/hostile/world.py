# SPDX-License-Identifier: Apache-2.0
"""A small world for the hostile tests: inputs, datasets, runs and studies, made by the tool itself."""
import hashlib
import os
import pathlib
import random
import resource
import shutil
import signal
import stat
import subprocess

TRAIN = ["--embedding-dim", "4", "--epochs", "8", "--eval-every", "2", "--batch-size", "128"]
COMPARE = ["--data", "data", "--samplers", "rns,dns", "--baselines", "popularity", "--seeds", "1"] + TRAIN
TUNE = ["--data", "data", "--samplers", "dns", "--trials", "3", "--rungs", "3,5", "--embedding-dim", "4",
        "--eval-every", "2"]
MEMORY = 4 << 30
NOBODY = 65534
# In memory where possible: thousands of syncs on a busy disk would take most of the time.
SCRATCH = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
LARGE = 1 << 28  # the sparse files of the tests are larger; their size is compared


class Tool:
    """Runs divns in a folder, with bounds on memory and time, and optionally with a fault of the shim."""

    def __init__(self, divns, faults, sanitized=False):
        self.divns = os.path.abspath(divns)
        self.faults = os.path.abspath(faults)
        self.sanitized = sanitized
        # The bound on time is one on processor time, so that a busy machine changes nothing. A clock only ends what waits for ever.
        # The shadow memory of a sanitizer fits into no limit and makes everything slower.
        self.cpu_seconds = 120 if sanitized else 30
        self.seconds = 300

    def limit(self):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (self.cpu_seconds, self.cpu_seconds))
        if not self.sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    def environment(self, fault):
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}
        if self.sanitized:
            environment["ASAN_OPTIONS"] = "allocator_may_return_null=1:max_allocation_size_mb=2048:detect_leaks=0:handle_abort=0"
            environment["UBSAN_OPTIONS"] = "print_stacktrace=1:halt_on_error=1"
        if fault:
            environment.update(LD_PRELOAD=self.faults, DIVNS_FAULT=fault[0], DIVNS_FAULT_AT=str(fault[1]))
        return environment

    def can_be_nobody(self):
        """Whether permissions can be tested: root ignores them, so the tool runs as another user."""
        try:
            return os.geteuid() != 0 or subprocess.run([self.divns, "--version"], user=NOBODY, cwd="/",
                                                       capture_output=True).returncode == 0
        except OSError:
            return False

    def start(self, words, folder, fault=None, redirect="", user=None):
        """`redirect` is shell text such as '2>&-'; the words themselves never pass through a shell unquoted."""
        command = [self.divns] + words
        if redirect:
            command = ["/bin/sh", "-c", 'exec "$0" "$@" ' + redirect] + command
        return subprocess.Popen(command, cwd=folder, env=self.environment(fault), preexec_fn=self.limit, user=user,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, words, folder, fault=None):
        process = self.start(words, folder, fault)
        out, err = process.communicate(timeout=self.seconds)
        return process.returncode, out, err.decode(errors="replace")

    def must(self, words, folder):
        code, _, err = self.run(words, folder)
        assert code == 0, f"divns {' '.join(words)} -> {code}: {err}"


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def snapshot(folder):
    """Every name below a folder with what it is: the target of a link, the hash of a file."""
    found = {}
    for base, folders, files in os.walk(folder):
        for name in folders + files:
            path = pathlib.Path(base, name)
            mode = path.lstat().st_mode
            key = str(path.relative_to(folder))
            if stat.S_ISLNK(mode):
                found[key] = "link " + os.readlink(path)
            elif stat.S_ISREG(mode):
                size = path.stat().st_size
                found[key] = f"file {size} {digest(path) if size < LARGE else None}"
            else:
                found[key] = "folder" if stat.S_ISDIR(mode) else "special"
    return found


def give_away(folder):
    """Gives a folder to the user that root becomes for tests of permissions."""
    for base, _, files in os.walk(folder):
        for path in [base] + [os.path.join(base, name) for name in files]:
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)


def write_inputs(folder):
    chance = random.Random(5)
    folder.mkdir()
    pairs = sorted({(chance.randrange(50), min(chance.randrange(40), chance.randrange(40))) for _ in range(900)})
    with open(folder / "pairs.tsv", "w") as file:
        file.writelines(f"u{u}\ti{i}\t{1 + (u * i) % 5}\t{1000000 + 37 * u + i}\n" for u, i in pairs)
    with open(folder / "pairs.csv", "w") as file:
        file.write("user,item,rating,comment\n")
        file.writelines(f'u{u},i{i},{1 + (u * i) % 5},"a, ""b"" {u}"\n' for u, i in pairs)
    with open(folder / "pairs.jsonl", "w") as file:
        file.writelines(f'{{"reviewerID": "u{u}", "asin": "i{i}", "overall": 5.0, "unixReviewTime": {i}}}\n' for u, i in pairs)
    (folder / "titles.csv").write_text("id,title\n" + "".join(f'i{i},"Title, no. {i}"\n' for i in range(40)))
    (folder / "users.txt").write_text("u1\nu2\nu3\n")
    (folder / "items.txt").write_text("".join(f"i{i}\n" for i in range(20)))
    (folder / "config.toml").write_text('learning_rate = 0.01\nl2 = 1e-4\nsampler = "dns"\n[dns]\ncandidates = 4\n')
    (folder / "rows.csv").write_text("".join(",".join(f"{chance.gauss(0, 1):.4f}" for _ in range(4)) + "\n" for _ in range(30)))


def build(tool, folder):
    """data, run (finished and evaluated), stopped (killed between two checkpoints), study, tuning, vectors."""
    folder = pathlib.Path(folder)
    write_inputs(folder / "input")
    tool.must(["data", "prepare", "input/pairs.tsv", "--item-names", "input/titles.csv", "--format", "uirt",
               "--delimiter", "tab", "-o", "data", "--quiet"], folder)
    tool.must(["data", "synth", "--users", "50", "--items", "40", "--pairs", "700", "-o", "synth", "--quiet"], folder)
    train = ["train", "--data", "data", "--sampler", "dns", "--checkpoint-seconds", "0", "--quiet"] + TRAIN
    tool.must(train + ["--out", "run"], folder)
    tool.must(["evaluate", "run", "--quiet"], folder)
    code, _, err = tool.run(train + ["--out", "stopped"], folder, fault=("kill", 6))
    assert code == -signal.SIGKILL and (folder / "stopped/checkpoint.safetensors").exists(), (code, err)
    tool.must(["compare", "--out", "study", "--quiet"] + COMPARE, folder)
    tool.must(["tune", "--out", "tuning", "--quiet"] + TUNE, folder)
    tool.must(["export", "run", "--out", "vectors", "--quiet"], folder)
    (folder / "outside").mkdir()
    (folder / "outside/thesis.txt").write_text("Not to be touched.\n")


def copy(source, target):
    shutil.copytree(source, target, symlinks=True)
