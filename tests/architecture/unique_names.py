#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when two source files of one target define the same name at file scope, or two files define the same type.

A unity build compiles many source files as one, so names in anonymous namespaces and static names at file scope must be
unique within a library, a program or a folder of tests. Which files meet in one unit depends on their number, so the
compiler finds a clash only by chance; this script finds it always. It reads the text: functions may share a name if their
parameter lists differ (overloads), everything else may not.

Two different types with one name and external linkage break the one-definition rule: the linker keeps the templates made for
one of them (a std::vector, say) and uses them for both.
"""
import collections
import pathlib
import re
import sys

STRIP = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)
TYPE = re.compile(r"^(?:template\s*<.*>\s*)?(?:class|struct|union|enum(?:\s+class)?)\s+(?:alignas\([^)]*\)\s*)?(\w+)")
ALIAS = re.compile(r"^(?:template\s*<.*>\s*)?using\s+(\w+)\s*=")
FUNCTION = re.compile(r"(?<![\w:~.])(\w+)\s*\(")
VARIABLE = re.compile(r"(\w+)\s*(?:\[[^]]*\]\s*)*(?:=.*|\{\}|\{)?$")
NOT_NAMES = {"if", "for", "while", "switch", "return", "sizeof", "decltype", "alignas", "requires", "static_assert", "noexcept"}


def without_directives(text):
    return "\n".join("" if line.lstrip().startswith("#") else line for line in text.replace("\\\n", " ").split("\n"))


def statements(text):
    """Yields (scopes, head, has a body) for each declaration at namespace scope; a scope is 'anonymous' or a namespace's name."""
    scopes, head, depth = [], "", 0
    for char in text:
        if depth:
            depth += {"{": 1, "}": -1}.get(char, 0)
            if depth == 0 and not re.search(r"[=,(]\s*\S*\s*$|\)\s*:\s", head):
                yield list(scopes), " ".join(head.split()), True
                head = ""
            continue
        if char == "{":
            space = re.match(r"\s*(?:inline\s+)?namespace\s*([\w:]*)\s*$", head)
            if space:
                scopes.append(space.group(1) or "anonymous")
                head = ""
            else:
                depth = 1
        elif char == "}":
            if scopes:
                scopes.pop()
            head = ""
        elif char == ";":
            if head.strip():
                yield list(scopes), " ".join(head.split()), False
            head = ""
        else:
            head += char


def declared(head):
    """The key under which a declaration clashes: a name, for functions with the parameter list."""
    for pattern in (TYPE, ALIAS):
        match = pattern.match(head)
        if match:
            return match.group(1), match.group(1)
    before_value = head.split("=")[0]
    match = next((m for m in FUNCTION.finditer(before_value) if m.group(1) not in NOT_NAMES), None)
    if match and match.start() > 0:
        start = match.end()
        depth, end = 1, start
        while end < len(head) and depth:
            depth += {"(": 1, ")": -1}.get(head[end], 0)
            end += 1
        parameters = re.sub(r"\s*\b\w+\s*(?=,|$)", "", re.sub(r"\s*=[^,]*", "", head[start:end - 1]))
        return match.group(1), f"{match.group(1)}({parameters})"
    match = VARIABLE.search(before_value.strip())
    if match and " " in before_value.strip():
        return match.group(1), match.group(1)
    return None


def statements_of(path):
    text = STRIP.sub(lambda found: '""' if found.group().startswith(('"', "R")) else "0" if found.group()[0] == "'" else " ",
                     path.read_text())
    return statements(without_directives(text))


def external_types(path):
    """The types that a file defines, with their namespaces, for every file that includes or links it."""
    for scopes, head, body in statements_of(path):
        match = TYPE.match(head)
        # "struct A::B" defines a part of A, "struct A<B>" a specialisation.
        if body and match and "anonymous" not in scopes and not head[match.end():].startswith(("::", "<")):
            yield "::".join([*scopes, match.group(1)])


def file_scope_names(path):
    names = {}
    for scopes, head, _ in statements_of(path):
        internal = "anonymous" in scopes or head.startswith("static ")
        if not internal or head.startswith(("using namespace", "friend", "template <>", "extern")):
            continue
        if "::" in head.split("(")[0].split()[-1]:  # a member defined outside of its class
            continue
        key = declared(head)
        if key:
            # A named namespace inside or around keeps equal names apart.
            names[("::".join(s for s in scopes if s != "anonymous"), key[1])] = key[0]
    return names


def targets(root):
    """The folders whose sources are compiled together."""
    yield "src", sorted((root / "src").rglob("*.cc"))
    yield "apps/divns", sorted((root / "apps/divns").glob("*.cc"))
    for folder in sorted((root / "tests").iterdir()):
        if folder.is_dir():
            yield f"tests/{folder.name}", sorted(folder.glob("*.cc"))


def main(root):
    complaints, seen = [], 0
    for target, paths in targets(root):
        places = collections.defaultdict(list)
        for path in paths:
            for (scope, key), name in file_scope_names(path).items():
                places[scope, key].append(path.relative_to(root))
                seen += 1
        for (scope, key), files in sorted(places.items()):
            if len(files) > 1:
                complaints.append(f"{target}: '{key}' is defined at file scope in {', '.join(map(str, files))}")
    for program in ("apps/divns", "python/src"):
        places = collections.defaultdict(list)
        for folder in ("include", "src", program):
            for path in sorted((root / folder).rglob("*")):
                if path.suffix in (".h", ".cc"):
                    for name in external_types(path):
                        places[name].append(path.relative_to(root))
        complaints += [f"two types are named '{name}': {', '.join(map(str, files))}"
                       for name, files in sorted(places.items()) if len(files) > 1]
    for complaint in dict.fromkeys(complaints):
        print(complaint)
    if not seen:
        print("no names found: the script no longer understands the sources")
    return 1 if complaints or not seen else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
