# `make run` serves the product, `make test` checks it. Both need python3 (3.11 or later, with pip and venv), nothing else.

PYTHON ?= python3
MINUTES ?= 5
TIMES ?= 1
SERVER ?= http://localhost:8000
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input --quiet

.PHONY: pocket kills help run quick test test-all lint types layers checks tools pytest hunt slips numbers offered innocent pictures pages bench clients faults container messages lock fmt clean requests audit slow
.DEFAULT_GOAL := help

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "%-16s%s\n", $$1, $$2}'

run: $(VENV)/run.stamp ## Set up what is missing and serve; PORT, HOST and DATABASE_URL are honoured
	@exec $(BIN)/python -m deploy.run

quick: export HYPOTHESIS_PROFILE := quick
quick: ## Style, types, layers, and the tests that need no server and no browser
	@$(MAKE) --no-print-directory --jobs=2 lint layers checks
	@$(MAKE) --no-print-directory --jobs=2 types pytest ONLY="not slow"

test: ## quick, and whole hands in a browser, a real server, the essentials on PostgreSQL
	@$(MAKE) --no-print-directory --jobs=4 tools lint layers checks
	@$(MAKE) --no-print-directory --jobs=2 types pytest ONLY="smoke or not slow"

test-all: $(VENV)/node.stamp $(VENV)/pocket.stamp ## Everything: also generated clients, faults, installations, all of PostgreSQL, schema fuzz
	@$(MAKE) --no-print-directory --jobs=4 tools lint layers checks
	@$(MAKE) --no-print-directory --jobs=2 types pytest

lint: $(VENV)/test.stamp
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(VENV)/test.stamp
	@$(BIN)/mypy

layers: $(VENV)/test.stamp
	@$(BIN)/lint-imports --no-cache --no-logo

checks: $(VENV)/test.stamp
	@$(BIN)/python -m tests.checks

tools:
	@sh tests/tools.sh

pytest: $(VENV)/test.stamp
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal --tb=short $(if $(ONLY),-m "$(ONLY)")

hunt: $(VENV)/test.stamp ## Look for what fails at random seeds: make hunt MINUTES=5
	@$(BIN)/python -m tests.hunt $(MINUTES)

requests: $(VENV)/test.stamp ## Send N odd requests to every address, looking for what breaks or takes long: make requests N=1000000
	@$(BIN)/python -m tests.hunt.requests $(N)

slow: $(VENV)/test.stamp ## Look for the record that takes longest to judge: make slow MINUTES=5
	@$(BIN)/python -m tests.hunt.slow $(MINUTES)

audit: $(VENV)/audit.stamp ## Ask PyPI whether a hole is known in what the locks name; fails also where it cannot look
	@$(VENV)/audit/bin/python -m tests.audit requirements.txt requirements-docs.txt tests/requirements.txt tests/clients/requirements.txt

slips: $(VENV)/test.stamp ## Put random slips right in a browser, N of every game: make slips N=50
	@$(BIN)/python -m tests.hunt.more slips $(N)

numbers: $(VENV)/test.stamp ## Work the statistics of N random tables out again from their records: make numbers N=2000
	@$(BIN)/python -m tests.hunt.more numbers $(N)

offered: $(VENV)/test.stamp ## Play N random hands of all games by what the referee offers alone: make offered N=10000
	@$(BIN)/python -m tests.hunt.more offered $(N)

innocent: $(VENV)/test.stamp ## Judge N records of tricks whose hands are known; nobody may be accused wrongly: make innocent N=10000
	@$(BIN)/python -m tests.hunt.more innocent $(N)

pictures: $(VENV)/test.stamp ## Take pictures of every page on five screens, beside a make run: make pictures SERVER=http://localhost:8000
	@$(BIN)/python -m tests.e2e.sweep $(SERVER) $(SCREENS)

pages: $(VENV)/test.stamp ## Make the pages of addresses, house rules and licenses anew
	@$(BIN)/python -m tests.documents

pocket: $(VENV)/pocket.stamp ## Build the product for a browser, without a server, into var/pocket (docs/how-to/pocket.md)
	@$(BIN)/python -m deploy.pocket.build var/pocket

kills: pocket $(VENV)/test.stamp ## Kill the browser of a pocket N times while cards are tapped: make kills N=300
	@$(BIN)/python -m tests.pocket.kills $(N)

clients: $(VENV)/node.stamp ## Build the packages of the Python and TypeScript clients into var/clients
	@$(BIN)/python -m tests.clients.packages

bench: $(VENV)/bench.stamp ## Measure the speeds that matter, beside what they are compared with; parts: make bench ONLY=taps,start
	@$(BIN)/python -m tests.bench $(ONLY)

container: $(VENV)/test.stamp ## Build the container image and try compose's services, without a container runtime; as root
	@sh tests/tools.sh
	@PYTHONPATH=docs/clients/python $(BIN)/python -m tests.deploy.container

faults: $(VENV)/test.stamp ## Break what can break, N times each, and look whether anything is lost: make faults TIMES=1
	@$(BIN)/python -m tests.faults $(TIMES)

messages: $(VENV)/test.stamp ## Collect the texts of pages and referee for their translation, and compile it
	@$(BIN)/python -m tests.messages

lock: $(VENV)/lock.stamp ## Choose versions anew from the *.in files and write the locks
	@$(UV_COMPILE) requirements.in -o requirements.txt
	@$(UV_COMPILE) --no-deps requirements-docs.in -o requirements-docs.txt
	@$(UV_COMPILE) tests/requirements.in -o tests/requirements.txt
	@$(UV_COMPILE) deploy/pocket/requirements.in -o deploy/pocket/requirements.txt
	@$(UV_COMPILE) tests/clients/requirements.in -o tests/clients/requirements.txt
	@$(UV_COMPILE) tests/audit/requirements.in -o tests/audit/requirements.txt
	@$(UV_COMPILE) tests/bench/requirements.in -o tests/bench/requirements.txt

UV_COMPILE = $(BIN)/uv pip compile --quiet --universal --upgrade --generate-hashes --python-version 3.11 \
	--no-emit-index-url --custom-compile-command "make lock"

fmt: $(VENV)/test.stamp ## Put the code in shape
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

clean: ## Forget the virtual environment and the caches; keeps var/, where the tables are
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

# --- Setting up: each stamp says that its lock is installed; a changed lock is newer than the stamp -----------------------

# A virtual environment whose Python has gone (removed, replaced by another one) is made anew.
ifneq ($(shell $(BIN)/python -c 'print("there")' 2>/dev/null),there)
.PHONY: $(VENV)/python.stamp
endif

$(VENV)/python.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or later is needed; choose one with: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -m venv --clear $(VENV) \
		|| { echo "Python cannot make virtual environments here; on Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	@touch $@

$(VENV)/run.stamp: requirements.txt requirements-docs.txt $(VENV)/python.stamp
	@echo "Installing what the product needs ..."
	@$(PIP) install --require-hashes -r requirements.txt
	@$(PIP) install --require-hashes --no-deps -r requirements-docs.txt
	@touch $@

$(VENV)/test.stamp: tests/requirements.txt $(VENV)/run.stamp
	@echo "Installing what the tests need ..."
	@$(PIP) install --require-hashes -r tests/requirements.txt
	@touch $@

$(VENV)/clients.stamp: tests/clients/requirements.txt $(VENV)/test.stamp
	@echo "Installing what makes clients from the schema ..."
	@$(PIP) install --require-hashes -r tests/clients/requirements.txt
	@touch $@

# Node comes with these packages; this is what it runs.
$(VENV)/node.stamp: tests/clients/package-lock.json $(VENV)/clients.stamp
	@echo "Installing what checks the schema and the TypeScript clients ..."
	@mkdir -p $(VENV)/node && cp tests/clients/package.json tests/clients/package-lock.json $(VENV)/node/
	@cd $(VENV)/node && PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# Python for browsers comes from npm, and what runs it here and the time zones from PyPI.
$(VENV)/pocket.stamp: deploy/pocket/requirements.txt deploy/pocket/package-lock.json $(VENV)/run.stamp
	@echo "Installing what the pocket is made of ..."
	@$(PIP) install --require-hashes -r deploy/pocket/requirements.txt
	@mkdir -p $(VENV)/pocket && cp deploy/pocket/package.json deploy/pocket/package-lock.json $(VENV)/pocket/
	@cd $(VENV)/pocket && PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

$(VENV)/bench.stamp: tests/bench/requirements.txt $(VENV)/test.stamp
	@echo "Installing what the referee is compared with ..."
	@$(PIP) install --only-binary :all: --require-hashes -r tests/bench/requirements.txt \
		|| echo "OpenSpiel cannot be had here; it is measured without."
	@touch $@

$(VENV)/audit.stamp: tests/audit/requirements.txt $(VENV)/python.stamp
	@$(PYTHON) -m venv --clear $(VENV)/audit
	@$(VENV)/audit/bin/python -m pip --disable-pip-version-check --no-input --quiet install --require-hashes -r $< \
		|| { echo "pip-audit cannot be had here: nothing was looked at."; exit 1; }
	@touch $@

$(VENV)/lock.stamp: $(VENV)/python.stamp
	@$(PIP) install uv
	@touch $@
