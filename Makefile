# Needs Go 1.26, Node 20 with npm, make and sh; lint and schemathesis also Python 3.11, and
# clients that, a JDK and Maven. Everything else is fetched into .dev.
SHELL := /bin/sh
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

CONTRACTS := chain/contracts
GENERATED := gen $(CONTRACTS)/artifacts migrations/schema.sql web/src/api/gen web/src/chain/gen web/src/lib/facts.gen.ts
# The program itself: its npm wrapper ends with 0 whatever forge found.
FORGE     := $(CURDIR)/.dev/tools/node_modules/@foundry-rs/forge-*/bin/forge
GOLANGCI  := go tool -modfile=tools/lint/go.mod golangci-lint
# Apart from the tests' build: what it compiles has no bytecode, which tests would look for in vain.
FORGE_LINT := FOUNDRY_OUT=.forge/lint/out FOUNDRY_CACHE_PATH=.forge/lint/cache $(FORGE) lint --deny notes
SOLHINT   := $(CURDIR)/.dev/lint/node_modules/.bin/solhint --disc --noPoster --max-warnings 0
SLITHER   := $(CURDIR)/.dev/slither/bin/python $(CURDIR)/tools/slither/check.py
OASDIFF   := go tool -modfile=tools/oasdiff/go.mod oasdiff
OAPI      := go tool -modfile=tools/go.mod oapi-codegen
NPM_FLAGS := --loglevel=error --no-audit --no-fund --ignore-scripts --fetch-retries=1

VERSION ?= $(shell git describe --tags --always --dirty)

# All of Foundry's tests, and then what the campaigns did: each action often enough.
CAMPAIGNS = cd $(CONTRACTS) && rm -rf .forge/campaigns && $(FORGE) test && sh test/invariant/report.sh

# Each of these packages has at least this share of its statements covered, in percent.
COVERED  := market store chain server
COVERAGE := 85

# How many requests `make schemathesis` makes up for each operation, beside those for each border of each schema.
EXAMPLES ?= 50

MEASURE        = -coverprofile=coverage.out -coverpkg=$(subst $(space),$(comma),$(addprefix ./,$(COVERED)))
CHECK_COVERAGE = awk -v least=$(COVERAGE) -v packages="$(COVERED)" -f tools/coverage.awk coverage.out

comma := ,
empty :=
space := $(empty) $(empty)

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: tools web build ## bring up the whole world on this machine, and say where it is
	@exec ./bin/taskmarketd dev --demo

# What goes into the app; its tests are no part of it.
APP := web/index.html web/package-lock.json $(wildcard web/*.ts web/build/*.ts web/public/*) $(shell find web/src -type f)

web: web/dist/app/index.html ## build the web app, which the programs then hold

web/dist/app/index.html: $(APP) web/node_modules/.installed
	cd web && node_modules/.bin/vite build --logLevel warn
	@touch $@

web/node_modules/.installed: web/package-lock.json
	cd web && npm ci $(NPM_FLAGS)
	@touch $@

web-dev: web/node_modules/.installed ## the web app from its sources, beside `make run`; changes show at once
	set -a; . $(CURDIR)/.dev/env; set +a; cd web && node_modules/.bin/vite

web-test: tools web build ## the web app's types, tests and size, and its stories in Chromium
	cd web && node_modules/.bin/tsc -p .
	cd web && node_modules/.bin/vitest run
	cd web && node build/budget.mjs
	cd web && node_modules/.bin/vitest run --root . --config e2e/vitest.config.ts

web-loading: tools web build ## how long the first pages take on a processor slowed four times, beside a page without scripts
	cd web && node_modules/.bin/vitest run --root . --config e2e/loading.config.ts

build: ## build the programs into bin/
	go build -trimpath -ldflags '-X main.version=$(VERSION)' -o bin/ ./cmd/...

# Of each: a static program that needs nothing beside it.
PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

dist: ## build taskmarket for every platform into bin/dist/
	@for platform in $(PLATFORMS); do \
		os=$${platform%/*}; arch=$${platform#*/}; ending=; \
		if [ $$os = windows ]; then ending=.exe; fi; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch go build -trimpath -ldflags '-s -w -X main.version=$(VERSION)' \
			-o bin/dist/taskmarket-$$os-$$arch$$ending ./cmd/taskmarket || exit 1; \
		echo bin/dist/taskmarket-$$os-$$arch$$ending; \
	done

release: web ## write the programs, checksums, SBOMs and the Go module of VERSION=v1.2.3 to dist/
	go run -C tools ./release -version '$(VERSION)'

module-path: ## rename the Go module everywhere: MODULE=example.com/you/taskmarket
	go run -C tools ./modulepath '$(MODULE)'

test: tools contracts-test web-test ## everything that a change must pass; RACE=1: with the race detector (needs a C compiler)
	go vet ./...
	$(if $(RACE),$(MAKE) test-race,go test ./...)

# The servers of the races between clients are built without the detector: 15 of 50 rounds do.
# The contracts' rules are tested by one goroutine.
test-race: tools ## the Go tests with the race detector (needs a C compiler), then the check of cover
	TASKMARKET_TEST_ROUNDS=15 CGO_ENABLED=1 go test -race -timeout 30m $(MEASURE) $$(go list ./... | grep -v /chain/contracts)
	@$(CHECK_COVERAGE)

cover: tools ## the Go tests; fail where too little is covered
	go test $(MEASURE) ./...
	@$(CHECK_COVERAGE)

contracts-test: tools $(CONTRACTS)/node_modules/.installed ## the contracts' tests: sources, short campaigns, what ships, the mutation tester, the Go rules
	$(CAMPAIGNS)
	cd $(CONTRACTS) && SHIPPED=true $(FORGE) test --no-match-path 'test/invariant/*'
	cd $(CONTRACTS) && node --test mutants/
	go test ./$(CONTRACTS)/...

# The Go tests alone on the machine: their chain must keep up.
contracts-deep: tools $(CONTRACTS)/node_modules/.installed ## the same, long: within an hour on two cores
	export FOUNDRY_PROFILE=deep; $(CAMPAIGNS)
	TASKMARKET_TEST_SEQUENCES=1000 go test -count=1 -timeout 40m -v -run TestRulesAreTheContracts ./$(CONTRACTS)

contracts-mutants: tools $(CONTRACTS)/node_modules/.installed ## change the contracts in one place at a time: do the tests notice? resumes
	cd $(CONTRACTS) && FORGE=$$(echo $(FORGE)) node mutants/main.cjs

search-deep: tools ## the plans of searches on a million tasks and a million humans: some minutes
	TASKMARKET_TEST_TASKS=1000000 go test -count=1 -timeout 60m -v -run TestPlans ./store

gas: tools $(CONTRACTS)/node_modules/.installed ## measure each flow beside its floor and its peers
	cd $(CONTRACTS) && UPDATE_GAS=true $(FORGE) test --match-contract GasTest
	@cat $(CONTRACTS)/gas.md

bench: tools ## measure the goals; BENCH_FULL=1 for the full size
	go run ./test/bench

# Alone on the machine, one race after the other, because a chain must keep up with
# thousands of transactions: about an hour on two cores.
race-deep: tools ## the races between clients of two servers, twenty times as long
	TASKMARKET_TEST_ROUNDS=1000 go test -count=1 -parallel 1 -timeout 90m -v -run '^TestRaces' ./test/e2e

clients: tools build ## make clients from the served contract in three languages, and try them (needs Python 3.11, a JDK and Maven)
	go run ./test/clients

kill-deep: tools ## kill the commands that pay at each of their requests: 20 rounds, a quarter of an hour on two cores
	TASKMARKET_TEST_KILL_ROUNDS=20 go test -count=1 -timeout 90m -v -run '^TestKilledCommands' ./test/e2e

schemathesis: tools .dev/schemathesis/.installed ## try the API with requests made from its document; EXAMPLES=500 for the deep run
	SCHEMATHESIS=$(CURDIR)/.dev/schemathesis/bin/schemathesis SCHEMATHESIS_EXAMPLES=$(EXAMPLES) \
		go test -tags schemathesis -count=1 -timeout 6h -v -run TestSchemathesis ./test/e2e

lint: tools contracts-lint web/node_modules/.installed ## style, the import rules, the contract, formatting, the Solidity
	$(GOLANGCI) config verify
	$(GOLANGCI) run
	cd tools/lint && go test ./...
	cd tools && go test ./...
	go run -C tools ./links
	go run -C tools ./words check
	.dev/lint/node_modules/.bin/redocly lint openapi.yaml
	cd web && node_modules/.bin/biome check .
	@$(MAKE) --no-print-directory contract-check
	cd tools/oasdiff && go test ./...

CONTRACT = openapi.yaml

contract-check: ## fail where openapi.yaml breaks clients of the contract as published
	$(OASDIFF) breaking --fail-on WARN --severity-levels tools/oasdiff/levels.txt tools/oasdiff/published.yaml $(CONTRACT)

publish-contract: ## after a release: hold openapi.yaml to what it promises now
	cp openapi.yaml tools/oasdiff/published.yaml

contracts-lint: tools .dev/lint/.installed .dev/slither/.installed $(CONTRACTS)/node_modules/.installed ## formatting, linters and static analysis of the contracts
	cd $(CONTRACTS) && $(FORGE) fmt --check
	cd $(CONTRACTS) && $(FORGE_LINT) src
	cd $(CONTRACTS) && FOUNDRY_PROFILE=test $(FORGE_LINT) test
	cd $(CONTRACTS) && $(SOLHINT) --config solhint.yaml 'src/**/*.sol'
	cd $(CONTRACTS) && $(SOLHINT) --config test/solhint.yaml 'test/**/*.sol'
	@cd $(CONTRACTS) && grep -rLx --include='*.sol' 'pragma solidity 0\.8\.37;' src test | { ! grep .; }
	cd $(CONTRACTS) && PATH="$$(dirname $(FORGE)):$$PATH" $(SLITHER)

fmt: tools ## format Go and Solidity
	$(GOLANGCI) fmt
	cd $(CONTRACTS) && $(FORGE) fmt

contracts: $(CONTRACTS)/node_modules/.installed ## compile the contracts into artifacts/
	cd $(CONTRACTS) && node compile.cjs

gen: contracts web/node_modules/.installed ## regenerate everything under gen/ and the schema dump
	go run ./$(CONTRACTS)/bindgen $(CONTRACTS)/artifacts gen/contracts
	$(OAPI) -config .oapi-server.yaml openapi.yaml
	$(OAPI) -config .oapi-client.yaml openapi.yaml
	go test ./migrations -run TestSchema -update
	cd web && node_modules/.bin/openapi-ts --silent --no-log-file
	cd web && node build/chain.mjs
	go run ./web/build/facts web/src/lib/facts.gen.ts

gen-check: gen ## fail if what is committed is not what gen writes
	@git diff --exit-code -- $(GENERATED)
	@git ls-files --others --exclude-standard -- $(GENERATED) | { ! grep .; }

tools: .dev/tools/.installed ## fetch anvil, forge and a PostgreSQL into .dev/tools

# A folder of its own with every package named in one file: npm removes what its
# package.json does not name. No lockfile, because it would insist on the packages of
# every platform.
.dev/tools/.installed: tools/package.json
	@mkdir -p $(@D)
	@cp $< $(@D)/package.json
	npm install --no-package-lock --prefix $(@D) $(NPM_FLAGS)
	@touch $@

.dev/lint/.installed: tools/lint/package.json tools/lint/package-lock.json
	@mkdir -p $(@D)
	@cp $^ $(@D)/
	npm ci --prefix $(@D) $(NPM_FLAGS)
	@touch $@

PYTHON_TOOLS := .dev/slither/.installed .dev/schemathesis/.installed

$(PYTHON_TOOLS): .dev/%/.installed: tools/%/requirements.txt
	@python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' || \
		{ echo '$* needs Python 3.11 or later, with venv' >&2; exit 1; }
	python3 -m venv --clear $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --require-hashes --requirement $<
	@touch $@

$(CONTRACTS)/node_modules/.installed: $(CONTRACTS)/package-lock.json
	cd $(CONTRACTS) && npm ci $(NPM_FLAGS)
	@touch $@

ci: ## what the build server runs
	.ci/run

# Run by root, PostgreSQL keeps its data elsewhere if it cannot enter this folder.
clean: ## remove all that was built, fetched, or kept by run
	@find .dev -maxdepth 3 -type l -name pg -exec readlink {} \; 2>/dev/null | grep '^/var/tmp/taskmarket-pg-' | xargs rm -rf
	rm -rf .dev bin coverage.out bench.json $(CONTRACTS)/node_modules $(CONTRACTS)/.forge web/node_modules web/dist/app

.PHONY: help run web web-dev web-test web-loading build dist release module-path test test-race cover contracts-test contracts-deep contracts-mutants search-deep gas bench race-deep kill-deep clients schemathesis lint contract-check publish-contract contracts-lint fmt contracts gen gen-check tools ci clean
