# Everything sets itself up: Python in .venv, the editor in a cache outside the tree (see tests/e2e/editor).
#
#   make check    prove the rules and check the kernels of rules/
#   make test     all tests, those in the real editor last
#   make second-opinion   the rules, each answer asked again of a second solver
#   make lint     ruff, the layout of rules/, mypy (each part of the tests by itself: their modules share names), tsc,
#                 eslint, what holds of the sources and documents as texts (tests/unit/house), and the site
#   make docs     build docs/ as a site in build/site; no broken link, no page that asks another host
#   make update   rewrite the generated pages that tests compare with
#   make bench    time saves, keystrokes, CUDA files and the library (BENCH=--enforce: fail above the limits)
#   make preconditions   find the preconditions of library rules that are without theirs
#   make soak     the property tests with their large counts, 200 mutants of the sources, the longer stories in the editor
#   make faults   put each fault that was fixed back, and see that a test notices (FAULTS="rules": one list)
#   make mutants  change the front end, the replay and the fixes, and see that tests notice (MUTANTS="40:seed:replay")
#   make answers  compare what an older version answers on rules/ (SINCE=revision, PATHS="more files")
#   make release  build a wheel, an sdist and the extension with the wheel inside in build/release
#   make try-release   install that wheel where no compiler can be run, and try it (PYTHON=python3.12)
#   make wheels   download what the wheel needs to build/wheels, for installing without a network
#   make requirements   choose the versions that the extension installs anew
#   make grammar  regenerate the parser after a change of grammar.js
#   make editor   open VS Code on rules/, on loopback

PYTHON ?= python3
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest
EDITOR_HOME := $(shell tests/e2e/editor/where.sh)
EXTENSION := $(wildcard vscode-extension/src/*.ts vscode-extension/walkthrough/* vscode-extension/src/webview/* vscode-extension/syntaxes/*.json vscode-extension/*.json \
	vscode-extension/*.md vscode-extension/.vscodeignore)
INSTALLED := pyproject.toml setup.py $(wildcard grammar/src/*.c grammar/src/tree_sitter/*.h grammar/bindings/python/*/*.c)

.PHONY: check answers second-opinion test lint docs update bench preconditions soak faults mutants release try-release wheels requirements grammar editor editor-ready browser neovim tools
export PYTHON
# Bytecode is kept, whatever the environment says: else each of some hundred processes compiles all sources again.
export PYTHONDONTWRITEBYTECODE =

check: .venv/.installed
	$(BIN)/rewright check rules

second-opinion: .venv/.installed
	$(BIN)/rewright check rules --second-opinion

test:
	@tests/run.sh

lint: .venv/.installed-test .venv/.installed-lint vscode-extension/node_modules/.package-lock.json
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/rewright fmt --check rules
	$(BIN)/mypy
	printf '%s\n' tests/[a-z]*/ | xargs -n 1 $(BIN)/mypy
	cd vscode-extension && npm run --silent check && npm run --silent lint
	$(PYTEST) tests/unit/house
	$(MAKE) --no-print-directory docs

docs: .venv/.installed-docs
	.ci/docs.sh

update: .venv/.installed-test
	REWRIGHT_UPDATE=1 $(PYTEST) tests/unit/model/test_operator_pages.py tests/unit/report tests/unit/cli/test_census.py tests/unit/cli/test_loops_paper.py tests/unit/graphs/test_graphs_paper.py

bench: .venv/.installed-test
	$(PYTEST) -s tests/bench $(BENCH)

preconditions: .venv/.installed
	$(BIN)/python tests/bench/preconditions.py

soak: .venv/.installed-test .venv/.installed-xla editor-ready
	REWRIGHT_SOAK=1 $(PYTEST) -s -m "soak or not soak" tests/property
	$(PYTEST) -m soak tests/unit
	$(PYTEST) -s -m soak tests/e2e

faults: .venv/.installed-test
	$(BIN)/python tests/faults/put_back.py $(FAULTS)

mutants: .venv/.installed-test
	$(BIN)/python tests/mutants/draw_mutants.py "$(MUTANTS)"

answers: .venv/.installed
	$(BIN)/python tests/answers/same_answers.py $(SINCE) $(PATHS)

release: .venv/.installed-release vscode-extension/node_modules/.package-lock.json
	.ci/release.sh

wheels:
	$(PYTHON) -m pip download --quiet --require-hashes --only-binary :all: --dest build/wheels \
		--requirement vscode-extension/install/requirements.txt

requirements: .venv/.installed-release
	$(BIN)/uv pip compile pyproject.toml --quiet --universal --generate-hashes --no-annotate --python-version 3.11 \
		--custom-compile-command "make requirements" --output-file vscode-extension/install/requirements.txt

try-release:
	.ci/try_release.sh $(PYTHON)

grammar:
	grammar/regenerate.sh

editor: .venv/.installed build/rewright.vsix
	$(BIN)/python tests/e2e/workbench.py rules

editor-ready: browser neovim build/rewright.vsix

tools:
	@.ci/debian.sh npm=npm g++=g++

browser: | tools
	@test -n "$$CHROMIUM" || .ci/debian.sh chromium=chromium,fonts-dejavu-core

neovim: | browser
	-@.ci/debian.sh nvim=neovim

build/rewright.vsix: $(EXTENSION) vscode-extension/node_modules/.package-lock.json | $(EDITOR_HOME)
	@mkdir -p build
	cd vscode-extension && PATH="$(EDITOR_HOME)/node_modules/.bin:$$PATH" npm run --silent package

$(EDITOR_HOME): | tools
	@tests/e2e/editor/install.sh

vscode-extension/node_modules/.package-lock.json: vscode-extension/package-lock.json | tools
	cd vscode-extension && npm ci --silent --ignore-scripts --no-audit --no-fund

.venv/.installed: $(INSTALLED)
	@.ci/python.sh
	@touch $@

.venv/.installed-%: $(INSTALLED)
	@.ci/python.sh $*
	@touch $@ .venv/.installed
