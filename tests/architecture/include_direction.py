#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on an include that points the wrong way, or on a library where it does not belong."""
import pathlib
import re
import sys

# Left may use right; folders of one layer may use each other where that is listed below.
LAYERS = [
    {"live"},
    {"summary", "serve"},
    {"report", "study"},
    {"run"},
    {"recommend"},
    {"blocks"},
    {"train", "eval"},
    {"models", "samplers", "losses"},
    {"dpp", "data", "io", "synth", "tsne", "http"},
    {"linalg", "kernels", "numerics", "distributed"},
    {"base"},
]
# Siblings that may not see each other: samplers know nothing of models, nor models of samplers.
FORBIDDEN_SIBLINGS = {("samplers", "models"), ("models", "samplers"), ("train", "eval"), ("eval", "train")}
# A header prefix, and the folders that may include it.
LIBRARIES = {
    r"hwy/": {"kernels"},
    r"Eigen/|cblas": {"linalg"},
    r"oneapi/|tbb/|Random123/|toml\+\+/|xxhash": {"base"},
    r"CLI/": set(),
    r"simdjson|zlib|zstd": {"data"},
    r"boost/": {"eval", "study"},
    r"spdlog/": set(),
    r"sys/(socket|epoll|eventfd)|netinet/|arpa/": {"http"},
    # The rest of the library does not know that there is a network.
    r"http/": {"http", "live", "serve"},
    r"mpi\.h": {"distributed"},
}
THIRD_PARTY = re.compile(r"hwy/|Eigen/|cblas|oneapi/|tbb/|Random123/|toml\+\+/|xxhash|CLI/|simdjson|zlib|zstd|nlohmann|fmt/")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)


# The tool calls the public headers and nothing below them.
APP_LIBRARIES = re.compile(r"fmt/|nlohmann/")
def app_complaints(root):
    folder = root / "apps" / "divns"
    public = {f"divns/{path.name}" for path in (root / "include/divns").glob("*.h")} | {"divns/version.h"}
    complaints, internal = [], set()
    for path in sorted(folder.glob("*.[hc]*")):
        if path.suffix not in {".h", ".cc"}:
            continue
        for line, name in re.findall(r'^(\s*#\s*include\s*[<"]([^>"]+)[>"])', path.read_text(), re.M):
            system = "<" in line and not name.startswith("divns/")
            if system and ("/" not in name or name.startswith("sys/") or APP_LIBRARIES.match(name)):
                continue
            if name in public or (folder / name).exists():
                continue
            internal.add(path.name)
            complaints.append(f"{path}: the tool may include public headers only, not {name}")
    return complaints


def layer_of(folder):
    for depth, layer in enumerate(LAYERS):
        if folder in layer:
            return depth
    return None


def main(root):
    complaints = []
    for path in sorted((root / "src").rglob("*.[hc]*")):
        if path.suffix not in {".h", ".cc"}:
            continue
        folder = path.relative_to(root / "src").parts[0]
        if layer_of(folder) is None:
            complaints.append(f"{path}: folder '{folder}' has no layer; add it to {__file__}")
            continue
        for name in INCLUDE.findall(path.read_text()):
            target = name.split("/")[0]
            depth = layer_of(target)
            if depth is not None and "/" in name and target != folder:
                if depth < layer_of(folder) or (folder, target) in FORBIDDEN_SIBLINGS:
                    complaints.append(f"{path}: {folder} may not include {name}")
            for pattern, allowed in LIBRARIES.items():
                if re.match(pattern, name) and folder not in allowed:
                    complaints.append(f"{path}: only {sorted(allowed) or 'apps'} may include {name}")
    for path in sorted((root / "include").rglob("*.h")):
        for name in INCLUDE.findall(path.read_text()):
            if THIRD_PARTY.match(name) or layer_of(name.split("/")[0]) is not None:
                complaints.append(f"{path}: a public header may not include {name}")
    complaints += app_complaints(root)
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
