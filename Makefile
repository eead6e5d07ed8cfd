# Each target is a few commands of the go tool, so that nobody depends on make.

SHELL := /bin/bash -o pipefail
# Every module is built by its own go.mod.
export GOWORK = off
FUZZTIME ?= 20s
COUNT ?= 1
TOOL = go tool -modfile=$(CURDIR)/internal/tools/go.mod
# Nobody debugs these binaries: what only a debugger reads is a sixth of the time that it takes to compile them.
# SQLite is C, translated: the race detector makes it twenty times slower and finds nothing in it that Go code can mend.
# No library that instantiates generics of the standard library may be left out like this: the linker takes any copy.
WATCHED = -race -gcflags=all=-dwarf=false '-gcflags=modernc.org/...=-dwarf=false -race=false'
# Tests whole without the race detector, which empties pools, and is ten times slower with what strangers spoil, and with chance.
UNWATCHED = Allocations|ReplayReads|Spoiled|LateRace|KeysAreEqual|DeviationsAlone|ListsEnd|ServerTestsDeviate|EveryRecordOnce|FitForALog|MembersAreRead|RecordsAreBounded|NoSecretIsShown
# Engines come first: at the end, one of them would keep half of the machine waiting for its disk.
MODULES = $(shell git ls-files -co --exclude-standard 'go.mod' '*/go.mod' | grep -v '^internal/tools/' | xargs -n1 dirname | sort -r)

# The peers have only benchmarks, and tests of those: check builds them, bench-peers runs both, test need not.
TESTED = $(filter-out internal/bench/peers,$(MODULES))
# What the tests of a module require besides Go, by the names in internal/cmd/requires, which installs it if need be.
REQUIRES_webhook/postgres = postgres pgbouncer
REQUIRES_examples/receiver = postgres shell
REQUIRES_examples/flagship = postgres
REQUIRES_internal/traces = postgres
REQUIRES_internal/browser = chromium
# What these modules test is in a browser, where the race detector sees nothing; the packages have tests with it.
test-internal/browser: private WATCHED =

# The parts of test that have a name of their own.
PARTS = test-core test-sqlite test-postgres test-examples
.PHONY: help test compiled check release bench bench-peers soak fuzz mutants vectors cover $(PARTS) $(TESTED:%=test-%)

help: ## Show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

test: ## Run every test of every module COUNT times (1), race-checked, shuffled, leak-checked (check has vet and allocations)
	@mkdir -p .bin && : >.bin/left-out
	@$(MAKE) --no-print-directory -j2 --output-sync=target LEFT_OUT=$(CURDIR)/.bin/left-out $(TESTED:%=test-%)
	@if [ -s .bin/left-out ]; then echo "make test: LEFT OUT, because this machine lacks what they require:"; \
	cat .bin/left-out; [ -z "$(ALL)" ]; fi

test-core: test-. ## The part of test that requires only Go: the root module, which is what apps import
test-sqlite: test-webhook/sqlite ## The part of test for webhook/sqlite, which requires only Go
test-postgres: test-webhook/postgres ## The part of test for webhook/postgres: finds or installs its servers
EXAMPLES = $(filter test-examples/%,$(TESTED:%=test-%))
test-examples: $(EXAMPLES) ## The part of test for the examples with an engine, two of which require PostgreSQL

# The proof of rolling upgrades builds the release before of packages that are compiled already.
$(TESTED:%=test-%): export COMMERCE_TEST_GOFLAGS = $(WATCHED)
# With more room before it collects, the collector takes a sixth less of the time of compilers and tests.
compiled $(TESTED:%=test-%): export GOGC = 400
# The detector would have every binary sleep for a second at its end, in which goroutines may be caught that are left:
# goleak wants to find none. It would also give back and fetch anew the pages of its shadow for each allocation of more
# than 64 KiB: to write zeros takes a quarter less of the time of a test of large bodies.
$(TESTED:%=test-%): export GORACE = atexit_sleep_ms=0 clear_shadow_mmap_threshold=1073741824
# With LEFT_OUT, a module whose requirements are missing is noted in that file. Without, its target fails.
$(TESTED:%=test-%): compiled
	@if lacks=$$(.bin/requires $(REQUIRES_$(@:test-%=%)) 2>&1); then \
	cd $(@:test-%=%) && $(CURDIR)/.bin/gotest $(WATCHED) -vet=off -shuffle=on -count=$(COUNT) ./...; \
	else echo "$@: $$lacks" | tee -a $(LEFT_OUT) >&2; [ -n "$(LEFT_OUT)" ]; fi

# Once, before two go commands at a time both compile it.
compiled:
	@go build -o .bin/ ./internal/cmd/gotest ./internal/cmd/requires
	@go build $(WATCHED) $$(go list -f '{{if ne .Name "main"}}{{.ImportPath}}{{end}}' ./...)

check: ## Formatting, vet and lint, with no warning allowed; what the race detector would change or drag out
	@unformatted=$$(git ls-files -co --exclude-standard '*.go' | xargs gofmt -s -l); \
	if [ -n "$$unformatted" ]; then echo "gofmt -s would change:"; echo "$$unformatted"; exit 1; fi
	@for m in $(MODULES); do (cd $$m && go vet ./... && $(TOOL) staticcheck ./... && go mod tidy -diff) || exit 1; done
	@go test -run '$(UNWATCHED)' $$(grep -lE 'func Test\w*($(UNWATCHED))' $$(git ls-files '*_test.go') | xargs -n1 dirname | sort -u | sed 's|^|./|')
	@echo "check: no warning"

release: ## Check that VERSION (vX.Y.Z) can be released, and print the commands; changes nothing
	@go run ./internal/cmd/release $(VERSION)

bench: ## Measure every goal of speed beside its floor, and print one table
	@go run ./internal/cmd/bench

bench-peers: ## Measure the goals beside other libraries, and all of those, in one table (about half an hour)
	@cd internal/bench/peers && go test ./...
	@go run ./internal/cmd/bench -peers

soak: ## Run proofs at full size (about four hours)
	@go test -v -run 'TestMutations$$' -timeout 60m ./webhook -webhook.mutations 100000000
	@go test -v -run TestRunByVersion ./internal/cmd/refserver -whole
	@go test -v -run 'Rehearsal$$' -timeout 30m ./internal/cmd/release -whole
	@go test -v -run TestPagesAreBounded ./internal/refserver/console -console.records 100000
	@go test -v -run 'Proof' -timeout 60m ./webhook/inboxtest -soak
	@go test -v -run 'Proof' -timeout 60m ./discounts -soak
	@go test -v -run 'DeviationsAlone' -timeout 60m ./internal/deviate -deviate.combinations 5000
	@go test -run 'ServerTestsDeviate' -timeout 60m ./client -deviate.runs 300
	@cd client/otelcommerce && go test -v -run 'Proof' -timeout 60m . -soak
	@cd examples/flagship && go test -v -run 'TestProofDay$$' -timeout 90m . -soak
	@for m in webhook/sqlite webhook/postgres; do (cd $$m && go test -v -run 'Proof|Plans' -timeout 240m . -soak && \
	go test -v -run 'TestProofLedger|TestJournal/Killed' -timeout 60m ./internal/apptables -payments 1000 -journal.processes 3) || exit 1; done

fuzz: ## Fuzz every target for FUZZTIME (20s); all of them take twice that each, building included
	@mkdir -p .bin && : >.bin/fuzz.failed
	@for m in $(MODULES); do (cd $$m && go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}} {{.ImportPath}}{{end}}' ./... | \
	while read -r dir pkg; do \
		for target in $$(sed -nE 's/^func (Fuzz[A-Za-z0-9_]*)\(.*/\1/p' $$dir/*_test.go); do \
			echo "$$pkg $$target"; \
			go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$pkg </dev/null | tee $(CURDIR)/.bin/fuzz.log || \
				echo "$$pkg $$target: $$(sed -n 's|.*Failing input written to ||p' $(CURDIR)/.bin/fuzz.log)" >>$(CURDIR)/.bin/fuzz.failed; \
		done; \
	done) || exit 1; done
	@if [ -s .bin/fuzz.failed ]; then echo "fuzz: failed, with the input in the directory of the package:"; cat .bin/fuzz.failed; exit 1; fi

mutants: ## Plant defects one by one, and want a test to notice each
	@go run ./internal/cmd/mutants

VECTORS ?= ../shared/vectors
# Of cases in VECTORS: the others are not of this server.
CASES = store products variants images categories webhooks conventions oauth oauth-reissue customers coupons \
	locations custom-fields metafields scripts orders transactions transactions-discount fulfillment-orders \
	draft-orders payment-providers promotions disputes carriers email-templates blog business-rules price-tables \
	external-invoices members
# An older node than the one that .node-version names may lack what the cases use.
NODE = $(shell cut -d. -f1 .node-version)

vectors: ## Play the contract vectors of VECTORS (../shared/vectors), if they are at hand, on the reference server
	@if [ ! -d $(VECTORS) ]; then echo "vectors: LEFT OUT, because there is no $(VECTORS)"; exit; fi; \
	has=$$(node -p process.versions.node) && \
	if [ "$${has%%.*}" -lt $(NODE) ]; then echo "vectors: node $$has, want $(NODE) or newer"; exit 1; fi && \
	go build -o .bin/ ./internal/cmd/refserver && \
	node $(VECTORS)/run.mjs --server $(CURDIR)/.bin/refserver $(CASES:%=$(VECTORS)/cases/%.json)

cover: ## Show the test coverage by package and in all
	@go test -coverpkg=./... -coverprofile=cover.out ./... >/dev/null && go tool cover -func=cover.out | tail -1
	@echo "go tool cover -html=cover.out shows the lines"
