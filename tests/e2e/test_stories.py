"""The stories that a user lives through, told in the real editor and asserted on its page (see the `.mjs` of each)."""

from __future__ import annotations

import os

import pytest
from conftest import Tell

TRUST = {"security.workspace.trust.enabled": True, "security.workspace.trust.startupPrompt": "never"}

SOON = 5000
"""Milliseconds: generous, since the machine of a test is not a user's; what was measured is printed."""


def test_a_broken_rule_shows_its_counterexample_and_a_fixed_one_its_tick(tell: Tell) -> None:
    outcome = tell("rule_story.mjs")
    assert outcome.milliseconds["saved to refuted"] < SOON
    assert outcome.milliseconds["saved to proved"] < SOON
    assert outcome.left_over == []


def test_a_race_is_underlined_at_both_ends_in_the_cuda_file(tell: Tell) -> None:
    outcome = tell("kernel_story.mjs")
    assert outcome.milliseconds["saved to race"] < SOON
    assert outcome.left_over == []


def test_a_server_that_is_not_there_is_reported_in_a_sentence(tell: Tell) -> None:
    outcome = tell("lacking_story.mjs", **{"rewright.interpreter": "/no/python"})
    assert outcome.left_over == []


def test_a_rule_without_its_precondition_is_fixed_by_a_quick_fix(tell: Tell) -> None:
    outcome = tell("fix_story.mjs")
    assert outcome.milliseconds["refuted to fix"] < 4 * SOON
    assert outcome.milliseconds["saved to proved"] < SOON
    assert outcome.left_over == []


def test_a_barrier_deleted_from_a_cuda_file_is_put_back_by_a_quick_fix(tell: Tell) -> None:
    outcome = tell("cuda_story.mjs")
    assert outcome.milliseconds["saved to race"] < SOON
    assert outcome.milliseconds["race to fix"] < 4 * SOON
    assert outcome.milliseconds["saved to tick"] < SOON
    assert outcome.left_over == []


@pytest.mark.soak
def test_a_loop_nest_loses_a_bound_is_tiled_and_races(tell: Tell) -> None:
    outcome = tell("loops_story.mjs")
    assert outcome.milliseconds["saved to missing"] < SOON
    assert outcome.milliseconds["missing to fix"] < 4 * SOON
    assert outcome.milliseconds["saved to tick"] < SOON
    assert outcome.milliseconds["lens to tick"] < 2 * SOON
    assert outcome.milliseconds["saved to race"] < SOON
    assert outcome.left_over == []


@pytest.mark.soak
def test_an_all_reduce_deleted_from_a_graph_is_put_back_and_a_wrong_offset_leads_to_the_model(tell: Tell) -> None:
    outcome = tell("graph_story.mjs")
    assert outcome.milliseconds["saved to parts"] < SOON
    assert outcome.milliseconds["parts to fix"] < 4 * SOON
    assert outcome.milliseconds["saved to tick"] < SOON
    assert outcome.milliseconds["saved to offset"] < SOON
    assert outcome.left_over == []


@pytest.mark.soak
def test_a_file_of_a_public_repository_is_checked_without_a_word_and_a_key_states_its_condition(tell: Tell) -> None:
    outcome = tell("public_story.mjs")
    assert outcome.milliseconds["condition to fix"] < 2 * SOON
    assert outcome.milliseconds["saved to tick"] < 2 * SOON
    assert outcome.left_over == []


def test_a_server_that_is_killed_comes_back(tell: Tell) -> None:
    outcome = tell("killed_story.mjs")
    assert outcome.milliseconds["killed and saved to refuted"] < 2 * SOON
    assert outcome.left_over == []


@pytest.mark.skipif("REWRIGHT_WHEELS" not in os.environ, reason="needs `make release wheels`, see CONTRIBUTING.md")
def test_rewright_is_installed_from_the_extension_and_a_folder_of_wheels(tell: Tell) -> None:
    outcome = tell("install_story.mjs", **{"rewright.interpreter": ""})
    assert outcome.left_over == []


def test_declarations_are_checked_one_by_one_and_as_tests_and_codes_open_their_pages(tell: Tell) -> None:
    outcome = tell("control_story.mjs", **{"rewright.check.trigger": "manual"})
    assert outcome.milliseconds["run to message"] < SOON
    assert outcome.left_over == []


@pytest.mark.soak
def test_the_two_threads_of_a_race_are_seen_in_their_order(tell: Tell) -> None:
    outcome = tell("race_story.mjs")
    assert outcome.left_over == []


@pytest.mark.soak
def test_a_rule_is_written_by_offers_pinned_renamed_and_formatted(tell: Tell) -> None:
    outcome = tell("writing_story.mjs", **{"workbench.colorTheme": "Default Light Modern"})
    assert outcome.left_over == []


@pytest.mark.soak
def test_a_text_that_is_in_no_file_and_the_examples_of_the_walkthrough_are_checked(tell: Tell) -> None:
    outcome = tell("untitled_story.mjs")
    assert outcome.left_over == []


@pytest.mark.soak
def test_the_files_of_two_folders_are_checked(tell: Tell) -> None:
    outcome = tell("folders_story.mjs")
    assert outcome.left_over == []


@pytest.mark.soak
def test_a_folder_that_is_not_trusted_is_checked_without_its_settings(tell: Tell) -> None:
    outcome = tell("restricted_story.mjs", **TRUST)
    assert outcome.left_over == []
