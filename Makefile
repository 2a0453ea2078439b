# Requires Go 1.26, Node 20 with npm, make and sh. lint and schemathesis also require Python 3.11;
# clients requires Python 3.11, a JDK, Maven and cargo. All other tools are downloaded to .dev.
SHELL := /bin/sh
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

CONTRACTS := chain/contracts
GENERATED := gen docs/configuration.md $(CONTRACTS)/artifacts web/src/api/gen web/src/chain/gen web/src/lib/facts.gen.ts
# The binary itself: its npm wrapper always exits with 0.
FORGE     := $(CURDIR)/.dev/tools/node_modules/@foundry-rs/forge-*/bin/forge
GOLANGCI  := go tool -modfile=tools/lint/go.mod golangci-lint
# A separate output folder: lint writes artifacts without bytecode, which the tests cannot use.
FORGE_LINT := FOUNDRY_OUT=.forge/lint/out FOUNDRY_CACHE_PATH=.forge/lint/cache $(FORGE) lint --deny notes
SOLHINT   := $(CURDIR)/.dev/lint/node_modules/.bin/solhint --disc --noPoster --max-warnings 0
SLITHER   := $(CURDIR)/.dev/slither/bin/python $(CURDIR)/tools/slither/check.py
OASDIFF   := go tool -modfile=tools/oasdiff/go.mod oasdiff
OAPI      := go tool -modfile=tools/go.mod oapi-codegen
NPM_FLAGS := --loglevel=error --no-audit --no-fund --ignore-scripts --fetch-retries=1

VERSION ?= $(shell git describe --tags --always --dirty)

# All Foundry tests, then a check that the invariant campaigns performed each action often enough.
CAMPAIGNS = cd $(CONTRACTS) && rm -rf .forge/campaigns && $(FORGE) test && sh test/invariant/report.sh

# The minimum statement coverage of each of these packages, in percent.
COVERED  := market store store/journal store/moderation store/operators store/outbox store/schema chain chain/rpc chain/follow chain/send server
COVERAGE := 85

# The number of generated requests for each operation, in addition to the boundary values of each schema.
EXAMPLES ?= 50

# PgBouncer, HAProxy, ClamAV, an S3 server and an external signer, for operations-deep.
ENGINES := .dev/debian/.installed .dev/s3/versitygw .dev/clef/clef

comma := ,
empty :=
space := $(empty) $(empty)

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: tools build ## start the complete system on this machine and print its addresses
	@exec ./bin/taskmarketd dev --demo

# The built app. The server embeds it, so each target that compiles the server depends on it:
# test/makefile_test.go checks this.
APP := web/dist/app/index.html
APP_SOURCES := web/index.html web/package-lock.json $(wildcard web/*.ts web/build/*.ts web/public/*) $(shell find web/src -type f)

web: $(APP) ## build the web app, which is embedded in the server

$(APP): $(APP_SOURCES) web/node_modules/.installed
	cd web && node_modules/.bin/vite build --logLevel warn
	@touch $@

web/node_modules/.installed: web/package-lock.json
	cd web && npm ci $(NPM_FLAGS)
	@touch $@

web-dev: web/node_modules/.installed ## serve the web app from its sources, beside `make run`, with hot reload
	set -a; . $(CURDIR)/.dev/env; set +a; cd web && node_modules/.bin/vite

# The web app's types, unit tests and size, and its stories in Chromium.
web-test: tools build
	cd web && node_modules/.bin/tsc -p .
	cd web && node_modules/.bin/vitest run
	cd web && node build/budget.mjs
	$(MAKE) --no-print-directory -j2 stories-1 stories-2

# Half of the stories, in a world of its own, because stories mostly wait.
stories-%:
	cd web && TASKMARKET_STORIES=-$* node_modules/.bin/vitest run --root . --config e2e/vitest.config.ts --shard=$*/2

build: $(APP) ## build the programs into bin/
	go build -ldflags '-X main.version=$(VERSION)' -o bin/ ./cmd/...

release: $(APP) ## write the programs, checksums, SBOMs and the Go module of VERSION=v1.2.3 to dist/
	go run -C tools ./release -version '$(VERSION)'

# The contracts' tests mostly use one core.
test: tools build ## run all tests, and check the coverage of the Go packages in COVERED
	$(MAKE) -j2 contracts-test web-test
	$(GO_TEST) -p 6 -coverprofile=coverage.out -coverpkg=$(subst $(space),$(comma),$(addprefix ./,$(COVERED))) ./...
	@awk -v least=$(COVERAGE) -v packages="$(COVERED)" -f tools/coverage.awk coverage.out

# Tests mostly wait for servers and chains, so the tests of several packages run at the same time, except
# with the race detector, which needs the processor.
# `make lint` runs vet, and a test needs no debugging information.
GO_TEST = go test -vet=off -ldflags='-s -w' -timeout 30m

# The packages whose goroutines share memory, except the largest ones: with the detector, tests take five times as long.
# `make deep RUN=race` runs all packages with it every night.
RACE := ./chain ./chain/audit ./chain/follow ./chain/internal/... ./chain/keeper ./chain/rpc ./chain/send \
	./client/internal/... ./client/mcp ./client/rescue ./client/watch ./cmd/taskmarket/internal/... ./cmd/taskmarketd/internal/... \
	./server/auditlog ./server/console ./server/content ./server/gate ./server/screening ./store/internal/... ./store/journal \
	./store/localpg ./store/outbox

test-race: tools $(APP) ## run Go tests with the race detector (requires a C compiler)
	CGO_ENABLED=1 $(GO_TEST) -race $(RACE)

contracts-build: tools $(CONTRACTS)/node_modules/.installed
	cd $(CONTRACTS) && $(FORGE) build

# The contracts' sources, short fuzzing, released artifacts, the mutation tester, agreement with the rules in market/.
contracts-test: contracts-build
	$(CAMPAIGNS)
	cd $(CONTRACTS) && SHIPPED=true $(FORGE) test --no-match-path 'test/invariant/*'
	cd $(CONTRACTS) && node --test mutants/
	go test ./$(CONTRACTS)/...

# Nothing else should run on the machine: the tests' chain must keep up.
contracts-deep: tools $(CONTRACTS)/node_modules/.installed ## fuzz the contracts for up to an hour on two cores
	export FOUNDRY_PROFILE=deep; $(CAMPAIGNS)
	TASKMARKET_TEST_SEQUENCES=1000 go test -count=1 -timeout 40m -v -run TestRulesAreTheContracts ./$(CONTRACTS)

bench: tools $(APP) ## run the benchmarks and compare them with their goals; BENCH_FULL=1 for the full size
	go run ./test/bench

# Nothing else should run on the machine, because the tests measure how long a recovery takes.
operations-deep: tools $(APP) $(ENGINES) ## test failover, full disks, proxies, S3, restores and old code with real processes (requires Debian 12, root and iproute2): 90 minutes
	TASKMARKET_TEST_RESUME=$(CURDIR)/.dev/histories-$(shell git rev-parse --short HEAD) \
		go test -tags operations -count=1 -timeout 4h -v -run '^TestOperations' ./server/content ./test/e2e

# The long tests that few changes need. Nothing else should run on the machine, because most of them measure times:
#   abuse      the abuses of docs/abuse.md against a server, their cost and the damage to others: two minutes
#   gas        the gas of each flow, compared with its lower bound and its peers
#   helm       the Helm chart and docker-compose.yml; the first build takes minutes
#   kill       the paying commands are killed at each of their requests: 20 rounds, a quarter of an hour on two cores
#   load       300 requests/s and 2,000 event streams, then overload: DURATION=30m RATE=300 OVERLOAD=12 STREAMS=2000
#   loading    the first page loads on a slowed processor, compared with a page without scripts
#   mutants    mutation testing of the contracts; continues after an interruption
#   race       all packages with the race detector, and the races between clients of two servers with 1,000 rounds instead of 15:
#              an hour on two cores
#   search     the query plans of searches on a million tasks and humans: some minutes
DEEP := abuse gas helm kill load loading mutants race search

deep: ## run a long test: RUN=abuse, gas, helm, kill, load, loading, mutants, race or search
	@$(MAKE) --no-print-directory deep-$(or $(filter $(DEEP),$(RUN)),$(error set RUN to one of $(DEEP)))

deep-abuse: tools $(APP)
	go test -tags operations -count=1 -timeout 20m -v -run '^TestAbuse$$' ./test/e2e

deep-gas: tools $(CONTRACTS)/node_modules/.installed
	cd $(CONTRACTS) && UPDATE_GAS=true $(FORGE) test --match-contract GasTest
	@cat $(CONTRACTS)/gas.md

deep-helm: $(APP)
	cd tools/helm && go test -vet=off -count=1 ./...

deep-kill: tools $(APP)
	TASKMARKET_TEST_KILL_ROUNDS=20 go test -count=1 -timeout 90m -v -run '^TestKilledCommands' ./test/e2e

deep-load: tools $(APP)
	TASKMARKET_LOAD_DURATION=$(DURATION) TASKMARKET_LOAD_RATE=$(RATE) TASKMARKET_LOAD_OVERLOAD=$(OVERLOAD) TASKMARKET_LOAD_STREAMS=$(STREAMS) \
		go test -tags operations -count=1 -timeout 24h -v -run '^TestLoad$$' ./test/e2e

deep-loading: tools build
	cd web && node_modules/.bin/vitest run --root . --config e2e/loading.config.ts

deep-mutants: tools $(CONTRACTS)/node_modules/.installed
	cd $(CONTRACTS) && FORGE=$$(echo $(FORGE)) node mutants/main.cjs

deep-race: tools $(APP)
	CGO_ENABLED=1 $(GO_TEST) -race -timeout 60m $$(go list ./... | grep -v /test)
	TASKMARKET_TEST_ROUNDS=1000 go test -count=1 -parallel 1 -timeout 90m -v -run '^TestRaces' ./test/e2e
	TASKMARKET_TEST_ROUNDS=100 go test -count=1 -timeout 30m -v -run '^TestWatchSurvives' ./test/e2e
	TASKMARKET_TEST_SAMPLES=10000 TASKMARKET_TEST_CLIENTS=1000000 go test -count=1 -parallel 1 -timeout 30m -v -run '^Test(SimilarKeys|ManyClients)' ./server/gate

deep-search: tools
	TASKMARKET_TEST_TASKS=1000000 go test -count=1 -timeout 60m -v -run TestPlans ./store

# The seeds that passed on this commit. An interrupted run continues after them.
SIMULATED = $(CURDIR)/.dev/simulated-$(shell git rev-parse --short HEAD)

simulate: tools $(APP) ## play 10,000 random histories (SEEDS=…) of agents, humans, faults and reorgs; continues after an interruption
	TASKMARKET_TEST_SEEDS=$(or $(SEEDS),10000) TASKMARKET_TEST_RESUME=$(SIMULATED) \
		go test -count=1 -timeout 24h -v -run '^TestSeeds$$' ./test/simulation

clients: tools build ## generate clients in five languages from the served contract and run them, also with additions to responses (requires Python 3.11, a JDK, Maven and cargo)
	go run ./test/clients

schemathesis: tools $(APP) .dev/schemathesis/.installed ## test the API with requests generated from openapi.yaml; EXAMPLES=500 for the deep run
	SCHEMATHESIS=$(CURDIR)/.dev/schemathesis/bin/schemathesis SCHEMATHESIS_EXAMPLES=$(EXAMPLES) \
		go test -tags schemathesis -count=1 -timeout 6h -v -run TestSchemathesis ./test/e2e

lint: lint-go contracts-lint lint-texts alerts-check ## check style, import rules, wording, links, the API contract, formatting, the contracts and the alerting rules

lint-go: $(APP)
	$(GOLANGCI) config verify
	$(GOLANGCI) run
	go vet -tags operations ./test/e2e ./server/content
	cd tools/lint && go test ./...
	cd tools && go test ./...
	cd tools/oasdiff && go test ./...

lint-texts: .dev/lint/.installed web/node_modules/.installed
	go run -C tools ./links
	go run -C tools ./words check
	.dev/lint/node_modules/.bin/redocly lint openapi.yaml
	cd web && node_modules/.bin/biome check .
	@$(MAKE) --no-print-directory contract-check

PROMTOOL := .dev/prometheus/promtool

alerts-check: $(PROMTOOL)
	$(PROMTOOL) check config deploy/prometheus/prometheus.yml
	$(PROMTOOL) test rules deploy/prometheus/alerts_test.yml

CONTRACT = openapi.yaml

# Fails if openapi.yaml breaks clients of the published contract.
contract-check:
	$(OASDIFF) breaking --fail-on WARN --severity-levels tools/oasdiff/levels.txt tools/oasdiff/published.yaml $(CONTRACT)

contracts-lint: tools .dev/lint/.installed .dev/slither/.installed $(CONTRACTS)/node_modules/.installed
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

contracts: $(CONTRACTS)/node_modules/.installed
	cd $(CONTRACTS) && node compile.cjs

gen: tools contracts gen-api ## regenerate all generated files: gen/, the contracts' artifacts and the web app's
	go run ./$(CONTRACTS)/bindgen $(CONTRACTS)/artifacts gen/contracts
	cd web && node build/chain.mjs
	go run ./web/build/facts web/src/lib/facts.gen.ts
	go run -C tools ./settings

# For Go, known values become enums, which are strings with constants and accept any value, requests use
# the same types, and unknown members are dropped instead of being collected in a map.
.dev/openapi.yaml: openapi.yaml Makefile
	@mkdir -p $(@D)
	sed -e 's/x-extensible-enum:/enum:/' -e "s/Input'/'/" -e '/^ *additionalProperties: true$$/d' $< > $@

gen-api: .dev/openapi.yaml web/node_modules/.installed .dev/lint/.installed
	$(OAPI) -config .oapi-server.yaml .dev/openapi.yaml
	$(OAPI) -config .oapi-client.yaml .dev/openapi.yaml
	cd web && node_modules/.bin/openapi-ts --silent --no-log-file
	.dev/lint/node_modules/.bin/redocly bundle openapi.yaml --output gen/openapi.json

gen-check: gen ## fail if the committed files differ from the output of gen
	@git diff --exit-code -- $(GENERATED)
	@git ls-files --others --exclude-standard -- $(GENERATED) | { ! grep .; }

tools: .dev/tools/.installed ## download anvil, forge and PostgreSQL to .dev/tools

# A separate folder, because npm removes packages that package.json does not list. No lockfile,
# because it would require the packages of every platform.
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

.dev/debian/.installed: tools/debian/fetch.sh tools/debian/packages.txt
	tools/debian/fetch.sh $(@D)
	@touch $@

.dev/s3/versitygw: tools/s3/go.mod tools/s3/go.sum
	cd tools/s3 && go build -o $(CURDIR)/$@ github.com/versity/versitygw/cmd/versitygw

# tools/clef pins an older go-ethereum than go.mod, because later versions do not contain Clef.
.dev/clef/clef: tools/clef/go.mod tools/clef/go.sum
	cd tools/clef && go build -o $(CURDIR)/$@ github.com/ethereum/go-ethereum/cmd/clef

$(PROMTOOL): tools/prometheus/fetch.sh tools/prometheus/go.mod
	tools/prometheus/fetch.sh $(@D)
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

ci: ## run what the build server runs
	.ci/run

# When run by root, PostgreSQL stores its data in /var/tmp if its user cannot enter this folder.
clean: ## delete everything that was built, downloaded, or stored by `make run`
	@find .dev -maxdepth 3 -type l -name pg -exec readlink {} \; 2>/dev/null | grep '^/var/tmp/taskmarket-pg-' | xargs rm -rf
	rm -rf .dev bin dist coverage*.out $(CONTRACTS)/node_modules $(CONTRACTS)/.forge web/node_modules web/dist/app

.PHONY: help run web web-dev web-test build release test test-race contracts-build contracts-test contracts-deep bench operations-deep deep $(addprefix deep-,$(DEEP)) simulate clients schemathesis lint lint-go lint-texts alerts-check contract-check contracts-lint fmt contracts gen gen-api gen-check tools ci clean
