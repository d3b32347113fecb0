"""The library that users start from comes out as this list says: cold, from the cache, and by the solver alone.

The list is `library_list`, which shares nothing with the `@expect` attributes of the files.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import loops_list
import pytest
from census_table import read_census
from library_list import (
    CATALOGUE_FORMS,
    CATALOGUE_RULES,
    CHECKED,
    KINDS,
    PROVED,
    PROVED_BESIDE,
    PROVED_OF_NETWORKS,
    PROVED_RULES,
    WRONG,
    WRONG_KERNELS,
    WRONG_OF_NETWORKS,
    WRONG_RULES,
)

from rewright.report import json_view

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((Path(json_view.__file__).parent / "report.schema.json").read_text())
UNKNOWN_ALLOWED = 10
"""Of the solver alone, over all files but those of `SUMS`."""
SUMS = {
    "closed_forms",
    "fusions",
    "collectives",
    "reduce",
    "reduce_window",
    "dot",
    "convolution",
    "reductions",
    "contractions",
    "windows",
    "softmax",
    "norms",
    "logarithms",
    "scaling",
    "layer_norm",
}
"""Files of rules with reductions, which the solver alone knows nothing of."""
LONG = {"functions", "reshape", "bitcast"}
"""Files for which the solver alone needs as long as for all others together: `make soak` asks them."""

BY_SOLVER = {"sum_of_indices_times_powers", "product_of_powers", "space_to_depth", "relu_in_a_clip"}
"""Rules of networks of which normal forms leave a part to the solver."""

ONLY_EMPTY = {"reshape_of_nothing"}
"""Rules about results without elements."""

Results = dict[tuple[str, str], dict[str, Any]]
"""By the file's stem with its directory, and the name of the declaration."""


def _check(paths: list[str], *options: str) -> Results:
    command = [sys.executable, "-m", "rewright.cli", "check", *paths, "--format", "json", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    return _results(json.loads(done.stdout))


def _results(report: dict[str, Any]) -> Results:
    jsonschema.validate(report, SCHEMA)
    return {(_stem(result["file"]), result["name"]): result for result in report["results"]}


def _of_networks(names: dict[str, str]) -> list[tuple[str, str]]:
    return [(f"nn/{file}", name) for file, each in names.items() for name in each.split()]


def _stem(file: str) -> str:
    path = Path(file)
    return f"{path.parent.name}/{path.stem}"


@pytest.fixture(scope="module")
def runs(checked_kernels: tuple[dict[str, Any], Path]) -> list[Results]:
    """A cold run, the kernels before the rules, and one from its cache."""
    kernels, cache = checked_kernels
    rules = _check(["rules/xla", "rules/known-wrong", "rules/nn", "rules/graphs", "rules/loops"], "--cache", str(cache))
    return [_results(kernels) | rules, _check(["rules"], "--cache", str(cache))]


def _by_the_solver(long: bool) -> Results:
    of_rules = ("xla", "known-wrong", "nn")
    files = [path for each in of_rules for path in (ROOT / "rules" / each).glob("*.rw") if path.stem not in SUMS]
    asked = [str(path.relative_to(ROOT)) for path in sorted(files) if (path.stem in LONG) == long]
    return _check(asked, "--solver-only", "--no-cache")


def test_loop_nests_in_c_come_out_as_listed(runs: list[Results]) -> None:
    """Each proved one for all sizes, each that is run at some; each wrong one replayed, at its statement."""
    proved = {
        (f"loops/{file}", name if name == file else f"{file}_{name}")
        for file, names in loops_list.PROVED.items()
        for name in names.split()
    }
    checked = {
        (f"loops/{file}", f"{file}_{name}") for file, names in loops_list.CHECKED.items() for name in names.split()
    }
    wrong = {
        (f"loops/{file}", f"{file}_{name}"): said
        for file, named in loops_list.WRONG.items()
        for name, said in named.items()
    }
    for results in runs:
        found = {key: each for key, each in results.items() if each["file"].endswith(".c")}
        assert set(found) == {*proved, *checked, *wrong}
        for key in checked:
            assert (found[key]["verdict"], found[key]["coverage"]["bounded"]) == ("checked", True), key
            assert "never ran" not in found[key]["coverage"]["text"]
        for key in proved:
            assert (found[key]["verdict"], found[key]["coverage"]["bounded"]) == ("proved", False), key
        for key, (fails, statement) in wrong.items():
            witness, (diagnostic,) = found[key]["counterexample"], found[key]["diagnostics"]
            assert (witness["fails"], witness["replayed"]) == (fails, True), key
            lines = (ROOT / diagnostic["file"]).read_text().splitlines()
            assert lines[diagnostic["range"]["start"]["line"]].strip() == statement, key


def test_the_counts() -> None:
    assert len(CATALOGUE_RULES) == 121
    assert len(set(PROVED_RULES)) == len(PROVED_RULES)
    assert len(WRONG_RULES) == sum(map(len, WRONG.values())) >= 40
    assert set(KINDS.values()) <= set(WRONG_RULES)


def test_the_list_is_complete(runs: list[Results]) -> None:
    listed = [*PROVED.items(), *PROVED_BESIDE.items()]
    proved = {(f"xla/{file}", name) for file, names in listed for name in names.split()}
    wrong = {(f"known-wrong/{file}", name) for file, named in WRONG.items() for name in named}
    networks = {*_of_networks(PROVED_OF_NETWORKS), *_of_networks(WRONG_OF_NETWORKS)}
    for results in runs:
        rules = {key for key in results if not key[0].startswith(("kernels/", "graphs/", "jax/", "loops/"))}
        assert rules == proved | wrong | networks
        kernels = {name for file, name in results if file.startswith("kernels/")}
        assert kernels == CHECKED | set(WRONG_KERNELS)


def test_everything_is_as_its_file_expects(runs: list[Results]) -> None:
    for results in runs:
        assert [key for key, result in results.items() if not result["as_expected"]] == []


@pytest.mark.parametrize("name", PROVED_RULES)
def test_proved_at_all_ranks_and_sizes(name: str, runs: list[Results]) -> None:
    for results in runs:
        result = _named(results, "xla", name)
        assert (result["verdict"], result["coverage"]["text"]) == ("proved", "all ranks and sizes")
        assert not result["coverage"]["bounded"]
        assert result["counterexample"] is None
        assert {question["verdict"] for question in result["questions"]} == {"proved"}
        hinted = {"RW207"} if name in ONLY_EMPTY else {"RW206"}
        assert {diagnostic["code"] for diagnostic in result["diagnostics"]} <= hinted


def test_rows_of_the_census_come_out_as_they_say(runs: list[Results]) -> None:
    for results in runs:
        for key, row in read_census().items():
            for name in row.rules[:1]:
                questions = _named(results, "xla", name)["questions"]
                assert {_types(each["domain"]): each["verdict"] for each in questions} == row.verdicts, key


@pytest.mark.parametrize("key", _of_networks(PROVED_OF_NETWORKS))
def test_proved_rules_of_networks(key: tuple[str, str], runs: list[Results]) -> None:
    for results in runs:
        result = results[key]
        assert (result["verdict"], result["coverage"]["text"]) == ("proved", "all ranks and sizes")
        by = {question["by"] for question in result["questions"]}
        assert "solver" in by if key[1] in BY_SOLVER else by == {"normal form"}
        assert not result["diagnostics"]


@pytest.mark.parametrize("key", _of_networks(WRONG_OF_NETWORKS))
def test_wrong_rules_of_networks(key: tuple[str, str], runs: list[Results]) -> None:
    for results in runs:
        found = results[key]["counterexample"]
        assert (results[key]["verdict"], found["fails"], found["replayed"]) == ("refuted", "value", True)


@pytest.mark.parametrize("name", sorted(CHECKED))
def test_checked_at_a_launch_that_is_named(name: str, runs: list[Results]) -> None:
    for results in runs:
        result = _named(results, "kernels", name)
        assert (result["verdict"], result["coverage"]["bounded"]) == ("checked", True)
        assert "block" in result["coverage"]["text"]


@pytest.mark.parametrize("name", sorted(WRONG_KERNELS))
def test_wrong_kernels_are_refuted_and_replayed(name: str, runs: list[Results]) -> None:
    for results in runs:
        result = _named(results, "kernels", name)
        found = result["counterexample"]
        assert (result["verdict"], found["fails"], found["replayed"]) == ("refuted", WRONG_KERNELS[name], True)


@pytest.mark.parametrize("name", WRONG_RULES)
def test_refuted_and_replayed(name: str, runs: list[Results]) -> None:
    wrong = WRONG_RULES[name]
    for results in runs:
        result = _named(results, "known-wrong", name)
        found = result["counterexample"]
        assert (result["verdict"], found["fails"], found["replayed"]) == ("refuted", wrong.fails, True)
        assert wrong.ranks in (None, found["ranks"])
        assert sum(found["ranks"].values()) <= 3


@pytest.mark.parametrize("name", WRONG["one_way_only"])
def test_only_the_way_back_is_wrong(name: str, runs: list[Results]) -> None:
    for results in runs:
        questions = _named(results, "known-wrong", name)["questions"]
        found = {(question["direction"], question["verdict"]) for question in questions}
        assert found == {("=>", "proved"), ("<=", "refuted")}


@pytest.mark.parametrize(("name", "domain"), [("less_is_one_less", "real"), ("division_by_the_inverse", "int")])
def test_wrong_over_one_domain_only(name: str, domain: str, runs: list[Results]) -> None:
    for results in runs:
        questions = _named(results, "known-wrong", name)["questions"]
        refuted = [question["domain"] for question in questions if question["verdict"] == "refuted"]
        proved = [question["domain"] for question in questions if question["verdict"] == "proved"]
        assert (refuted, [domain, *proved]) == ([domain], [domain, *({"int", "real"} - {domain})])


def test_a_counterexample_is_small_and_its_values_are(runs: list[Results]) -> None:
    for key, result in runs[0].items():
        if key[0].startswith("known-wrong/"):
            assert all(abs(value) <= 8 for value in _integers(result["counterexample"]["values"])), key


def test_the_second_run_is_answered_from_the_cache(runs: list[Results]) -> None:
    assert [key for key, result in runs[1].items() if not result["cached"]] == []


def test_the_stories_name_rules_that_exist() -> None:
    texts = [path.read_text().replace("\n///", "") for path in (ROOT / "rules/known-wrong").glob("*.rw")]
    named = {name for text in texts for name in re.findall(r"`(\w+)` in rules/xla", text)}
    assert named
    assert named <= set(PROVED_RULES)


def test_every_wrong_rule_explains_itself() -> None:
    for path in (ROOT / "rules/known-wrong").glob("*.rw"):
        declared = re.findall(r"^/// .+\n(?:/// .+\n)*(?:@.+\n)+rule (\w+)", path.read_text(), re.MULTILINE)
        assert declared == list(re.findall(r"^rule (\w+)", path.read_text(), re.MULTILINE))
        assert set(declared) == set(WRONG[path.stem])


@pytest.mark.parametrize(("right", "wrong"), CATALOGUE_FORMS.items())
def test_what_the_catalogue_says_is_kept_where_it_is_false(right: str, wrong: str, runs: list[Results]) -> None:
    """Both cite the same rule of the catalogue, and the story of the false one names the other."""
    cited = []
    for directory, name in (("xla", right), ("known-wrong", wrong)):
        text = (ROOT / _named(runs[0], directory, name)["file"]).read_text()
        above = text[: text.index(f"rule {name}<")].rsplit("\n\n", 1)[1]
        cited.append(re.findall(r"TensorRight: (\w+/\d+)", above))
    assert len(cited[0]) == 1
    assert cited[0] == cited[1]
    assert f"`{right}` in rules/xla" in above.replace("\n///", "")


@pytest.mark.parametrize("long", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_the_solver_alone_never_says_the_opposite(long: bool, runs: list[Results]) -> None:
    opposite = {("proved", "refuted"), ("refuted", "proved")}
    unknown = []
    for key, result in _by_the_solver(long).items():
        for ours, alone in zip(runs[0][key]["questions"], result["questions"], strict=True):
            assert (ours["domain"], ours["direction"]) == (alone["domain"], alone["direction"])
            assert (ours["verdict"], alone["verdict"]) not in opposite, key
            if alone["verdict"] not in ("proved", "checked", "refuted"):
                unknown.append((key, alone["domain"], alone["reason"]))
    assert len(unknown) <= UNKNOWN_ALLOWED, unknown


def _types(domain: str) -> str:
    """The types that a question is about, each once."""
    return "/".join(dict.fromkeys(domain.split("/")))


def _named(results: Results, directory: str, name: str) -> dict[str, Any]:
    (result,) = (result for key, result in results.items() if key[0].split("/")[0] == directory and key[1] == name)
    return result


def _integers(values: dict[str, Any]) -> list[int]:
    flat: list[Any] = list(values.values())
    found = []
    while flat:
        match flat.pop():
            case list() as several:
                flat.extend(several)
            case int() as value:
                found.append(value)
    return found
