# Each target consists of a few commands of the go tool, so make is optional.

SHELL := /bin/bash -o pipefail
# Every module is built by its own go.mod.
export GOWORK = off
FUZZTIME ?= 20s
COUNT ?= 1
TOOL = go tool -modfile=$(CURDIR)/internal/tools/go.mod
# Test binaries have no DWARF, because nobody debugs them and it is a sixth of the time of compiling.
# SQLite is C translated to Go. The race detector makes it twenty times slower and finds no race that Go code could fix.
# Do not exclude libraries that instantiate generics of the standard library, because the linker takes any copy.
WATCHED = -race -gcflags=all=-dwarf=false '-gcflags=modernc.org/...=-dwarf=false -race=false'
# Tests that are complete only without the race detector. It empties pools, and makes tests with spoiled or random input ten
# times slower.
UNWATCHED = Allocations|ReplayReads|Spoiled|LateRace|KeysAreEqual|DeviationsAlone|ListsEnd|ServerTestsDeviate|EveryRecordOnce|FitForALog|MembersAreRead|RecordsAreBounded|NoSecretIsShown
# Engines come first. At the end, half of the machine would wait for the disk of one of them.
MODULES = $(shell git ls-files -co --exclude-standard 'go.mod' '*/go.mod' | grep -v '^internal/tools/' | xargs -n1 dirname | sort -r)

# The peers have only benchmarks and tests of these. check builds them and bench-peers runs both, so test leaves them out.
TESTED = $(filter-out internal/proof/peers,$(MODULES))
# Programs other than Go that the tests of a module require, by their names in internal/proof/cmd/requires, which installs them if
# they are missing.
REQUIRES_webhook/postgres = postgres pgbouncer
REQUIRES_examples/receiver = postgres shell
REQUIRES_examples/flagship = postgres
REQUIRES_internal/proof/traces = postgres
REQUIRES_internal/proof/browser = chromium
# These modules test pages in a browser, where the race detector finds nothing. The packages have their own tests with it.
test-internal/proof/browser: private WATCHED =

# The parts of test that have a name.
PARTS = test-core test-sqlite test-postgres test-examples
.PHONY: help test compiled check release bench bench-peers soak fuzz mutants vectors cover $(PARTS) $(TESTED:%=test-%)

help: ## Show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

test: ## Run every test of every module COUNT times (1), race-checked, shuffled, leak-checked (check has vet and allocations)
	@mkdir -p .bin && : >.bin/left-out
	@$(MAKE) --no-print-directory -j2 --output-sync=target LEFT_OUT=$(CURDIR)/.bin/left-out $(TESTED:%=test-%)
	@if [ -s .bin/left-out ]; then echo "make test: LEFT OUT, because this machine lacks what they require:"; \
	cat .bin/left-out; [ -z "$(ALL)" ]; fi

test-core: test-. ## The part of test for the root module, which apps import; it requires only Go
test-sqlite: test-webhook/sqlite ## The part of test for webhook/sqlite, which requires only Go
test-postgres: test-webhook/postgres ## The part of test for webhook/postgres; finds or installs its servers
EXAMPLES = $(filter test-examples/%,$(TESTED:%=test-%))
test-examples: $(EXAMPLES) ## The part of test for the examples with an engine, two of which require PostgreSQL

# With these flags, the proof of rolling upgrades builds the previous release with packages that are already compiled.
$(TESTED:%=test-%): export COMMERCE_TEST_GOFLAGS = $(WATCHED)
# With a higher GOGC, garbage collection takes a sixth less of the time of compilers and tests.
compiled $(TESTED:%=test-%): export GOGC = 400
# By default the race detector makes every binary sleep for a second at its end to catch races of leaked goroutines. goleak
# requires that there are none. The detector also unmaps and maps its shadow pages for each allocation above 64 KiB. Writing
# zeros instead takes a quarter less of the time of a test of large bodies.
$(TESTED:%=test-%): export GORACE = atexit_sleep_ms=0 clear_shadow_mmap_threshold=1073741824
# The engines wait for each sync of the disk. A slow disk takes them more than the ten minutes that are the default.
# With LEFT_OUT, a module whose requirements are missing is listed in that file. Without it, its target fails.
$(TESTED:%=test-%): compiled
	@if lacks=$$(.bin/requires $(REQUIRES_$(@:test-%=%)) 2>&1); then \
	cd $(@:test-%=%) && $(CURDIR)/.bin/gotest $(WATCHED) -vet=off -shuffle=on -count=$(COUNT) -timeout 30m ./...; \
	else echo "$@: $$lacks" | tee -a $(LEFT_OUT) >&2; [ -n "$(LEFT_OUT)" ]; fi

# Compile once, before two concurrent go commands both compile the same packages.
compiled:
	@go build -o .bin/ ./internal/proof/cmd/gotest ./internal/proof/cmd/requires
	@go build $(WATCHED) $$(go list -f '{{if ne .Name "main"}}{{.ImportPath}}{{end}}' ./...)

check: ## Formatting, vet and lint without warnings; tests that the race detector would change or slow
	@unformatted=$$(git ls-files -co --exclude-standard '*.go' | xargs gofmt -s -l); \
	if [ -n "$$unformatted" ]; then echo "gofmt -s would change:"; echo "$$unformatted"; exit 1; fi
	@for m in $(MODULES); do (cd $$m && go vet ./... && $(TOOL) staticcheck ./... && go mod tidy -diff) || exit 1; done
	@go test -run '$(UNWATCHED)' $$(grep -lE 'func Test\w*($(UNWATCHED))' $$(git ls-files '*_test.go') | xargs -n1 dirname | sort -u | sed 's|^|./|')
	@echo "check: no warning"

release: ## Check that VERSION (vX.Y.Z) can be released, and print the commands; changes nothing
	@go run ./internal/proof/cmd/release $(VERSION)

bench: ## Measure every goal of speed and its floor, and print one table
	@go run ./internal/proof/cmd/bench

bench-peers: ## Measure the goals and all other libraries, and print one table (about half an hour)
	@cd internal/proof/peers && go test ./...
	@go run ./internal/proof/cmd/bench -peers

soak: ## Run proofs at full size (about four hours)
	@go test -v -run 'TestMutations$$' -timeout 60m ./webhook -webhook.mutations 100000000
	@go test -v -run TestRunByVersion ./internal/cmd/refserver -whole
	@go test -v -run 'Rehearsal$$' -timeout 30m ./internal/proof/cmd/release -whole
	@go test -v -run TestPagesAreBounded ./internal/refserver/console -console.records 100000
	@go test -v -run 'Proof' -timeout 60m ./webhook/inboxtest -soak
	@go test -v -run 'Proof' -timeout 60m ./discounts -soak
	@go test -v -run 'DeviationsAlone' -timeout 60m ./internal/deviate -deviate.combinations 5000
	@go test -run 'ServerTestsDeviate' -timeout 60m ./client -deviate.runs 300
	@cd client/otelcommerce && go test -v -run 'Proof' -timeout 60m . -soak
	@cd examples/flagship && go test -v -run 'TestProofDay$$' -timeout 90m . -soak
	@for m in webhook/sqlite webhook/postgres; do (cd $$m && go test -v -run 'Proof|Plans' -timeout 240m . -soak && \
	go test -v -run 'TestProofLedger|TestJournal/Killed' -timeout 60m ./internal/apptables -payments 1000 -journal.processes 3) || exit 1; done

fuzz: ## Fuzz every target for FUZZTIME (20s); with building, each takes twice that
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

mutants: ## Plant defects one by one, and check that a test notices each
	@go run ./internal/proof/cmd/mutants

VECTORS ?= ../shared/vectors
# The cases in VECTORS that are for this server.
CASES = store products variants images categories webhooks conventions oauth oauth-reissue customers coupons \
	locations custom-fields metafields scripts orders transactions transactions-discount fulfillment-orders \
	draft-orders payment-providers promotions disputes carriers email-templates blog business-rules price-tables \
	external-invoices members
# A node older than that of .node-version may lack features that the cases use.
NODE = $(shell cut -d. -f1 .node-version)

vectors: ## Play the contract vectors of VECTORS (../shared/vectors), if it exists, on the reference server
	@if [ ! -d $(VECTORS) ]; then echo "vectors: LEFT OUT, because there is no $(VECTORS)"; exit; fi; \
	has=$$(node -p process.versions.node) && \
	if [ "$${has%%.*}" -lt $(NODE) ]; then echo "vectors: node is $$has, must be $(NODE) or newer"; exit 1; fi && \
	go build -o .bin/ ./internal/cmd/refserver && \
	node $(VECTORS)/run.mjs --server $(CURDIR)/.bin/refserver $(CASES:%=$(VECTORS)/cases/%.json)

cover: ## Show the test coverage by package and in total
	@go test -coverpkg=./... -coverprofile=cover.out ./... >/dev/null && go tool cover -func=cover.out | tail -1
	@echo "go tool cover -html=cover.out shows the lines"
