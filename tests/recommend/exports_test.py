#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The files of `divns export`, opened by the programs that they are for: hnswlib, faiss, onnxruntime, PostgreSQL."""

import json
import pathlib
import subprocess
import sys
import tempfile

import faiss
import hnswlib
import numpy as np
import onnx
import onnxruntime

K = 10


def lines(path):
    return path.read_text().splitlines()


def recall(found, exact):
    return np.mean([len(set(a) & set(b)) / K for a, b in zip(found, exact, strict=True)])


class Exports:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder
        run = lambda *words: subprocess.run([tool, *words, "--quiet"], cwd=folder, check=True)  # noqa: E731
        run("data", "synth", "--users", "400", "--items", "3000", "--pairs", "20000", "-o", "data")
        run("train", "--data", "data", "--epochs", "5", "--seed", "3", "--out", "run")
        npy = self.export("--format", "npy")
        self.users, self.items = np.load(npy / "user_vectors.npy"), np.load(npy / "item_vectors.npy")
        self.item_ids, self.user_ids = lines(npy / "item_ids.txt"), lines(npy / "user_ids.txt")
        self.scores = self.users @ self.items.T
        self.exact = np.argsort(-self.scores, kind="stable")[:, :K]

    def export(self, *words):
        target = self.folder / "-".join(words).replace("--", "")
        words = [self.tool, "export", "run", *words, "--out", target, "--quiet"]
        subprocess.run(words, cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        return target


def test_hnswlib(exports):
    target = exports.export("--index", "hnsw")
    about = json.loads((target / "index.json").read_text())
    index = hnswlib.Index(space="ip", dim=about["columns"])
    index.load_index(str(target / "items.hnsw"))
    index.set_ef(about["ef"])
    assert index.get_current_count() == len(exports.items)
    labels, distances = index.knn_query(np.load(target / "user_vectors.npy"), k=K)
    assert recall(labels, exports.exact) > 0.9, recall(labels, exports.exact)
    np.testing.assert_allclose(1 - distances[0], exports.scores[0][labels[0]], atol=1e-5)
    # Ours finds what the library finds; it also accepts more items.
    assert abs(recall(labels, exports.exact) - about["recall"]["value"]) < 0.01
    index.resize_index(len(exports.items) + 1)
    index.add_items(np.ones((1, about["columns"]), dtype=np.float32), [len(exports.items)])
    assert index.get_current_count() == len(exports.items) + 1


def test_faiss_flat(exports):
    target = exports.export("--index", "faiss")
    index = faiss.read_index(str(target / "items.faiss"))
    assert type(index).__name__ == "IndexFlatIP" and index.ntotal == len(exports.items)
    scores, found = index.search(np.load(target / "user_vectors.npy"), K)
    assert recall(found, exports.exact) > 0.999
    np.testing.assert_allclose(scores[0], np.sort(exports.scores[0])[::-1][:K], rtol=1e-5)


def test_faiss_hnsw(exports):
    target = exports.export("--index", "faiss-hnsw")
    about = json.loads((target / "index.json").read_text())
    index = faiss.read_index(str(target / "items.faiss"))
    assert type(index).__name__ == "IndexHNSWFlat" and index.d == about["columns"]
    assert index.metric_type == faiss.METRIC_INNER_PRODUCT and index.hnsw.efSearch == about["ef"]
    _, found = index.search(np.load(target / "user_vectors.npy"), K)
    assert recall(found, exports.exact) > 0.9, recall(found, exports.exact)
    index.add(np.ones((3, about["columns"]), dtype=np.float32))
    assert index.ntotal == len(exports.items) + 3


def test_onnx(exports):
    target = exports.export("--format", "onnx")
    onnx.checker.check_model(onnx.load(target / "model.onnx"), full_check=True)
    session = onnxruntime.InferenceSession(target / "model.onnx", providers=["CPUExecutionProvider"])
    users = np.array([0, 5, 17], dtype=np.int64)
    items, scores = session.run(["items", "scores"], {"user": users})
    assert recall(items, exports.exact[users]) == 1
    np.testing.assert_allclose(scores, np.take_along_axis(exports.scores[users], items, 1), atol=1e-5)
    (items,) = session.run(["items"], {"user": users, "k": np.array([3], dtype=np.int64)})
    assert items.shape == (3, 3)


def test_word2vec(exports):
    """Read as gensim's KeyedVectors.load_word2vec_format does."""
    target = exports.export("--format", "word2vec")
    with open(target / "items.txt", encoding="utf8") as text:
        count, size = map(int, text.readline().split())
        vectors = {}
        for _ in range(count):
            parts = text.readline().rstrip().split(" ")
            assert len(parts) == size + 1
            vectors[parts[0]] = np.array(parts[1:], dtype=np.float32)
        assert text.read() == ""
    assert list(vectors) == exports.item_ids
    assert np.array_equal(np.array(list(vectors.values())), exports.items)


def test_pgvector(exports):
    target = exports.export("--format", "pgvector")
    try:
        import pgserver
    except ImportError:
        print("pgvector: the text format alone is tested, because pgserver cannot be installed")
        rows = [line.split("\t") for line in lines(target / "items.copy")]
        assert [row[0] for row in rows] == exports.item_ids
        assert np.array_equal(np.array([json.loads(row[2]) for row in rows], dtype=np.float32), exports.items)
        return
    server = pgserver.get_server(exports.folder / "postgres", cleanup_mode="delete")
    try:
        script = (target / "load.sql").read_text()
        for name in ("users.copy", "items.copy"):
            script = script.replace(f"'{name}'", f"'{target / name}'")
        server.psql(script)
        found = server.psql(
            "SET enable_indexscan = off; COPY (SELECT items.id FROM items, users "
            f"WHERE users.id = '{exports.user_ids[7]}' "
            f"ORDER BY items.embedding <#> users.embedding LIMIT {K}) TO STDOUT;"
        )
        known = set(exports.item_ids)
        ids = [line for line in found.splitlines() if line in known]
        assert ids == [exports.item_ids[i] for i in exports.exact[7]], found
    finally:
        server.cleanup()


def main(tool):
    with tempfile.TemporaryDirectory(prefix="divns-exports-") as name:
        exports = Exports(tool, pathlib.Path(name))
        for name, test in sorted(globals().items()):
            if name.startswith("test_"):
                print(name, flush=True)
                test(exports)


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()))
