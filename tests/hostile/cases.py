# SPDX-License-Identifier: Apache-2.0
"""The hostile cases: every file x every kind of damage x every command that reads it, faults of the
machine, streams, and options at and beyond their ends. A case is plain data, so any one can be run alone."""
import collections
import dataclasses
import json
import os
import pathlib
import random
import subprocess

from world import COMPARE, TRAIN, TUNE

PREPARE = ["--user-core", "1", "-o", "out", "--quiet"]
TRAIN_DATA = ["train", "--data", "data", "--sampler", "dns", "--checkpoint-seconds", "0", "--quiet"] + TRAIN


@dataclasses.dataclass(frozen=True)
class Command:
    words: list
    reads: tuple  # folders or files of the world
    owned: tuple = ()  # what it may change
    proof: tuple = ()  # what must come out the same if it succeeds
    again: bool = False  # the same words continue after a failure


COMMANDS = {
    "stats": Command(["data", "stats", "data"], ("data",)),
    "stats_truth": Command(["data", "stats", "synth"], ("synth",)),
    "prepare": Command(["data", "prepare", "input/pairs.tsv", "--item-names", "input/titles.csv"] + PREPARE,
                       ("input/pairs.tsv", "input/titles.csv"), ("out",), ("out/train.bin", "out/test.bin"), True),
    "prepare_csv": Command(["data", "prepare", "input/pairs.csv"] + PREPARE, ("input/pairs.csv",), ("out",),
                           ("out/train.bin",), True),
    "prepare_json": Command(["data", "prepare", "input/pairs.jsonl", "--format", "amazon-json"] + PREPARE,
                            ("input/pairs.jsonl",), ("out",), ("out/train.bin",), True),
    "prepare_over": Command(["data", "prepare", "input/pairs.tsv", "--item-names", "input/titles.csv", "-o", "data",
                             "--overwrite", "--quiet"], ("data",), ("data",)),
    "synth": Command(["data", "synth", "--users", "50", "--items", "40", "--pairs", "700", "-o", "out", "--quiet"], (),
                     ("out",), ("out/train.bin", "out/truth.bin"), True),
    "train": Command(TRAIN_DATA + ["--out", "out", "--resume"], ("data",), ("out",), ("out/model.safetensors",), True),
    "train_truth": Command(["train", "--data", "synth", "--quiet", "--out", "out", "--resume"] + TRAIN, ("synth",),
                           ("out",), ("out/model.safetensors",), True),
    "config": Command(["train", "--data", "data", "--config", "input/config.toml", "--quiet", "--out", "out"] + TRAIN,
                      ("input/config.toml",), ("out",)),
    "resume": Command(TRAIN_DATA + ["--out", "stopped", "--resume"], ("stopped",), ("stopped",),
                      ("stopped/model.safetensors",), True),
    "resume_done": Command(TRAIN_DATA + ["--out", "run", "--resume"], ("run",), ("run",), ("run/model.safetensors",), True),
    "evaluate": Command(["evaluate", "run", "--quiet"], ("run", "data"), ("run",), (), True),
    "recommend": Command(["recommend", "run", "--all", "--out", "out.csv", "--quiet"], ("run", "data"), ("out.csv",),
                         ("out.csv",), True),
    "recommend_npy": Command(["recommend", "run", "--users-file", "input/users.txt", "--items", "input/items.txt", "--out",
                              "out.npy", "--quiet"], ("input/users.txt", "input/items.txt"),
                             ("out.npy", "out.scores.npy", "out.rows.txt", "out.ids.txt"), (), True),
    "similar": Command(["similar", "run", "--item", "i1"], ("run",)),
    "export": Command(["export", "run/model.safetensors", "--out", "out", "--format", "text", "--quiet"],
                      ("run/model.safetensors",), ("out",), ("out/items.tsv",)),
    "compare": Command(["compare", "--out", "study", "--quiet"] + COMPARE, ("study",), ("study",), ("study/study.json",),
                       True),
    "tune": Command(["tune", "--out", "tuning", "--quiet"] + TUNE, ("tuning",), ("tuning",), ("tuning/study.json",), True),
    "compare_best": Command(["compare", "--data", "data", "--samplers", "tuning/best.toml", "--seeds", "1", "--out", "out",
                             "--quiet"] + TRAIN, ("tuning/best.toml",), ("out",), (), True),
    "dpp": Command(["dpp", "--k", "5", "input/rows.csv"], ("input/rows.csv",)),
    "dpp_npy": Command(["dpp", "--k", "5", "vectors/item_vectors.npy"], ("vectors/item_vectors.npy",)),
}

DAMAGES = ("flip", "cut", "empty", "append", "garbage", "swap", "remove", "link", "dangling", "fifo", "folder", "huge", "locked")
REDIRECTS = (">&-", "2>&-", "<&-", ">/dev/full", "2>/dev/full", ">&- 2>&-", "<&- 2>&-", "<&- >&- 2>&-",
             ">/dev/full 2>/dev/full", "</dev/full")
SHARES = {"damage": 4, "fault": 3, "option": 2, "stream": 1}
FAULTS = ("enospc", "eio_write", "eio_read", "eio_sync", "eintr", "short")


@dataclasses.dataclass(frozen=True)
class Case:
    family: str
    command: str
    words: tuple = ()  # of an option case
    path: str = ""
    damage: str = ""
    redirect: str = ""
    fault: tuple = ()
    seed: int = 0

    def __str__(self):
        parts = [self.family, self.command, self.damage, self.path, self.redirect, ":".join(map(str, self.fault)),
                 " ".join(self.words)]
        return " ".join(part for part in parts if part)[:200]


def paths_of(world, command):
    """The files that a command reads, and the folders inside the named ones."""
    for name in COMMANDS[command].reads:
        path = pathlib.Path(world, name)
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        for one in found:
            if ".divns-tmp-" not in one.name:
                yield str(one.relative_to(world)), one.is_dir()


def damage_cases(world, permissions):
    for command in COMMANDS:
        for path, is_folder in paths_of(world, command):
            for damage in ("remove", "link", "dangling", "fifo", "locked") if is_folder else DAMAGES:
                # Interactions may come from a FIFO; without a writer divns waits, as it should.
                waits = damage == "fifo" and path.startswith("input/pairs")
                if not waits and (permissions or damage != "locked"):
                    yield Case("damage", command, path=path, damage=damage)


def stream_cases():
    for command in COMMANDS:
        for redirect in REDIRECTS:
            yield Case("stream", command, redirect=redirect)


def fault_cases(chance):
    for command in COMMANDS:
        for fault in FAULTS:
            for _ in range(6):
                if fault in ("eintr", "short"):
                    at = chance.choice((1, 2, 3, 7, 64, 1000))
                elif fault == "eio_sync":
                    at = chance.randrange(1, 12)
                else:
                    at = int(10 ** chance.uniform(0, 4.7))
                yield Case("fault", command, fault=(fault, at))


def values_of(row):
    values = ["", "x", "nan", "inf", "-inf", "1e309", "-1", "0", "9" * 400, "\x1b[31m", "\u202e"]
    low, high = row["range"]["low"], row["range"]["high"]
    number = (lambda value: str(int(value))) if "int" in row["type"] else repr
    if low is not None:
        values += [number(low), number(low - 1), number(low + 1)]
    if high is not None:
        values += [number(high), number(high + 1), number(high * 2)]
    if "int" in row["type"]:
        values += ["2147483647", "2147483648", "9223372036854775807", "9223372036854775808", "1.5"]
    elif row["type"] == "number":
        values += ["1e-45", "1e38", "1e300", "-0.0"]
    return values + row["choices"] + ["true"]


def option_cases(divns):
    rows = json.loads(subprocess.run([divns, "list", "options", "--json"], check=True, capture_output=True).stdout)
    samplers = next(row["choices"] for row in rows if row["name"] == "sampler")
    base = ["train", "--data", "data", "--out", "out", "--quiet", "--epochs", "1", "--embedding-dim", "4"]
    for row in rows:
        part = row["name"].split(".")[0] if "." in row["name"] else ""
        extra = [] if not part else ["--sampler", part] if part in samplers else ["--model", part]
        for value in dict.fromkeys(values_of(row)):
            yield Case("option", "train", words=tuple(base + extra + ["--set", f"{row['name']}={value}"]))
    own = {
        ("recommend", "run", "--all"): ("k", "fold_in_rate", "seed", "threads"),
        ("recommend", "run", "--history", "i1,i2"): ("k", "fold_in_ridge", "fold_in_unobserved", "fold_in_steps", "fold_in_rate",
                                                      "fold_in_l2"),
        ("recommend", "run", "--history", "i1", "--fold-in", "gradient"): ("fold_in_steps", "fold_in_rate", "fold_in_l2"),
        ("similar", "run", "--item", "i2"): ("k", "measure", "item", "user"),
        ("evaluate", "run", "--quiet"): ("topk", "groups", "part"),
        ("data", "prepare", "input/pairs.tsv", "-o", "out", "--quiet"): (
            "k_core", "user_core", "min_rating", "since", "ratios", "split", "seed", "memory_limit", "scratch", "valid_share", "format",
            "encoding", "delimiter", "user_column"),
        ("data", "synth", "--users", "50", "--items", "40", "--pairs", "700", "-o", "out", "--quiet"): (
            "users", "items", "pairs", "latent_dim", "clusters", "cluster_exponent", "spread_min", "popularity_head", "tastes",
            "background", "minimum_degree", "maximum_share", "activity_head", "ratios", "seed"),
        ("dpp", "input/rows.csv", "--k", "3"): ("k", "bandwidth", "jitter", "kernel", "method", "algorithm", "seed"),
        ("compare", "--data", "data", "--samplers", "rns", "--epochs", "1", "--out", "out", "--quiet"): (
            "seeds", "jobs", "samplers", "baselines", "threads", "checkpoint_seconds"),
        ("tune", "--data", "data", "--samplers", "rns", "--trials", "2", "--rungs", "3", "--eval-every", "2", "--out", "out",
         "--quiet"): ("trials", "rungs", "keep", "grid", "fix", "seed"),
    }
    values = ("", "x", "nan", "inf", "-1", "0", "1", "0.5", "1e300", "1e-300", "1000001", "2147483648", "18446744073709551616",
              "1,1,1", "0.5,0.5", "a,b,c", "9" * 400, "\x1b[31m")
    for words, names in own.items():
        for name in names:
            for value in values:
                yield Case("option", words[0], words=words + ("--" + name.replace("_", "-") + "=" + value,))


def all_cases(world, tool, seed):
    chance = random.Random(seed)
    cases = [*damage_cases(world, tool.can_be_nobody()), *stream_cases(), *fault_cases(chance), *option_cases(tool.divns)]
    cases = [dataclasses.replace(case, seed=chance.randrange(1 << 30)) for case in cases]
    chance.shuffle(cases)
    # The families take turns, so that the first cases are a good sample of all.
    turns = collections.Counter()
    keys = []
    for case in cases:
        turns[case.family] += 1
        keys.append(turns[case.family] / SHARES[case.family])
    return [case for _, case in sorted(zip(keys, cases), key=lambda pair: pair[0])]


def damage(folder, case):
    """Applies the damage of a case. False where the damage changes nothing."""
    chance = random.Random(case.seed)
    path = pathlib.Path(folder, case.path)
    kept = pathlib.Path(folder, "outside", "kept-" + path.name)
    bytes_ = path.read_bytes() if path.is_file() else b""
    if case.damage == "flip" and bytes_:
        at = chance.randrange(len(bytes_))
        path.write_bytes(bytes_[:at] + bytes([bytes_[at] ^ (1 << chance.randrange(8))]) + bytes_[at + 1:])
    elif case.damage == "cut" and bytes_:
        path.write_bytes(bytes_[:chance.randrange(len(bytes_))])
    elif case.damage == "empty":
        path.write_bytes(b"")
    elif case.damage == "append":
        path.write_bytes(bytes_ + chance.randbytes(chance.randrange(1, 200)))
    elif case.damage == "garbage":
        path.write_bytes(chance.randbytes(len(bytes_)))
    elif case.damage == "swap":
        others = [one for one in path.parent.iterdir() if one.is_file() and one != path]
        if not others:
            return False
        other = chance.choice(others)
        content = other.read_bytes()
        other.write_bytes(bytes_)
        path.write_bytes(content)
    elif case.damage == "locked":
        path.chmod(0)
    elif case.damage == "huge":
        os.truncate(path, 5 << 30)
    else:
        path.rename(kept)
        if case.damage == "link":
            path.symlink_to(kept.resolve())
        elif case.damage == "dangling":
            path.symlink_to(pathlib.Path(folder, "outside", "nothing"))
        elif case.damage == "fifo":
            os.mkfifo(path)
        elif case.damage == "folder":
            path.mkdir()
    return True
