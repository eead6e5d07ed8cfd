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
UNWATCHED = Allocations|ReplayReads|Spoiled|LateRace|KeysAreEqual|ProofMethods|ProofRecords|ProofListEnds|ProofDeviations|ProofListsEnd|ProofMembersAreRead
MODULES = $(shell git ls-files -co --exclude-standard 'go.mod' '*/go.mod' | grep -v '^internal/tools/' | xargs -n1 dirname | sort -r)

# The peers have only benchmarks and tests of these. check builds them and bench-peers runs both, so test leaves them out.
# The root module comes first, because it takes about as long as all others, which are tested next to it.
TESTED = . $(filter-out . internal/proof/peers,$(MODULES))
# The packages of a module that make test runs: all of them, except in the module of proofs.
PACKAGES_internal/proof = ./apptables/... ./restores ./shards ./inboxopstest ./members ./aptget ./cmd/gotest ./cmd/requires
# The packages of a module that make prove and make soak run: those with proofs, and all of the module of proofs.
PROOFS = $(call having,Proof)
# The packages of the module in the current directory with tests whose names match an expression.
having = $$(go list -f '{{$$d := .Dir}}{{range .TestGoFiles}}{{$$d}}/{{.}} {{end}}{{range .XTestGoFiles}}{{$$d}}/{{.}} {{end}}' ./... | \
	xargs grep -lE '^func Test\w*($(1))' | xargs -n1 dirname | sort -u)
# The module of proofs takes longer than all others, which are proved next to it.
PROVED = internal/proof . webhook/sqlite webhook/postgres client/otelcommerce examples/flagship
# Programs other than Go that the tests of a module require, by their names in internal/proof/cmd/requires, which installs
# them if they are missing.
REQUIRES_webhook/postgres = postgres pgbouncer
REQUIRES_examples/receiver = postgres shell
REQUIRES_examples/flagship = postgres
REQUIRES_internal/proof = postgres pgbouncer
REQUIRES_browser = chromium

# The parts of test that have a name.
PARTS = test-core test-sqlite test-postgres test-examples test-browser
.PHONY: help quick test prove soak flaky tools compiled check dist release bench bench-peers fuzz mutants vectors cover \
	$(PARTS) $(TESTED:%=test-%) $(PROVED:%=prove-%) prove-browser $(PROVED:%=soak-%)

help: ## Show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

quick: ## Run the tests of the root module without the race detector, for the loop of editing (a minute)
	@go test -vet=off ./...

# Runs a target for each of some modules, two at a time. LEFT_OUT lists the modules whose requirements this machine lacks.
each = mkdir -p .bin && : >.bin/left-out && \
	$(MAKE) --no-print-directory -j2 --output-sync=target LEFT_OUT=$(CURDIR)/.bin/left-out $(1) && \
	if [ -s .bin/left-out ]; then echo "make: LEFT OUT, because this machine lacks what they require:"; \
	cat .bin/left-out; [ -z "$(ALL)" ]; fi

test: ## Run every test COUNT times (1), race-checked, shuffled, leak-checked; proofs are small (make prove has all)
	@+$(call each,$(TESTED:%=test-%) test-browser)

prove: ## Run every proof at the size that each change must pass (about ten minutes)
	@+$(call each,$(PROVED:%=prove-%) prove-browser)

soak: $(or $(PART:%=soak-%),$(PROVED:%=soak-%)) ## Run every proof at full size (hours); PART is the directory of one module

flaky: ## Run the tests N times (50), then N times next to LOAD busy processes (16); any failure is a defect
	@bash internal/proof/flaky.sh $(or $(N),50) $(or $(LOAD),16)

test-core: test-. ## The part of test for the root module, which apps import; it requires only Go
test-sqlite: test-webhook/sqlite ## The part of test for webhook/sqlite, which requires only Go
test-postgres: test-webhook/postgres ## The part of test for webhook/postgres; finds or installs its servers
EXAMPLES = $(filter test-examples/%,$(TESTED:%=test-%))
test-examples: $(EXAMPLES) ## The part of test for the examples with an engine, two of which require PostgreSQL
test-browser: ## The part of test that reads a page in Chromium; finds or installs it

# The proof of rolling upgrades builds replicas with these flags, so that packages that are already compiled are used.
RUNS = $(TESTED:%=test-%) test-browser $(PROVED:%=prove-%) prove-browser $(PROVED:%=soak-%)
$(RUNS): export COMMERCE_TEST_GOFLAGS = $(WATCHED)
# With a higher GOGC, garbage collection takes a sixth less of the time of compilers and tests.
compiled $(RUNS): export GOGC = 400
# By default the race detector makes every binary sleep for a second at its end to catch races of leaked goroutines. goleak
# requires that there are none. The detector also unmaps and maps its shadow pages for each allocation above 64 KiB. Writing
# zeros instead takes a quarter less of the time of a test of large bodies.
$(RUNS): export GORACE = atexit_sleep_ms=0 clear_shadow_mmap_threshold=1073741824
$(PROVED:%=prove-%) prove-browser mutants: export COMMERCE_TEST_TIER = prove
$(PROVED:%=soak-%): export COMMERCE_TEST_TIER = soak

# Tests packages of a module with flags if the machine has what a target requires. With LEFT_OUT, a target whose requirements
# are missing is listed in that file. Without it, the target fails.
# The engines wait for each sync of the disk. A slow disk takes them more than the ten minutes that are the default. One
# package of a module is tested at a time, because two modules are. More at a time take as long in total, and each answer later.
run = if lacks=$$(.bin/requires $(REQUIRES_$(1)) 2>&1); then \
	cd $(2) && $(CURDIR)/.bin/gotest -p=1 -vet=off -shuffle=on -count=$(COUNT) -timeout=60m $(3); \
	else echo "$@: $$lacks" | tee -a $(LEFT_OUT) >&2; [ -n "$(LEFT_OUT)" ]; fi
proofs = $(call run,$(1),$(1),$(WATCHED) $(if $(filter internal/proof,$(1)),$(2) $(NOT_BROWSER),$(2) -run=Proof $(PROOFS)))
NOT_BROWSER = $$(go list ./... | grep -v /internal/proof/browser)

$(TESTED:%=test-%): compiled
	@$(call run,$(@:test-%=%),$(@:test-%=%),$(WATCHED) $(or $(PACKAGES_$(@:test-%=%)),./...))
$(PROVED:%=prove-%): compiled
	@$(call proofs,$(@:prove-%=%))
$(PROVED:%=soak-%): compiled
	@$(call proofs,$(@:soak-%=%),-v -timeout=360m)
# The race detector finds nothing in tests of pages in a browser. The packages have their own tests with it.
test-browser: compiled
	@$(call run,browser,internal/proof,-run='StoryOfAWebhook$$' ./browser)
prove-browser: export COMMERCE_TEST_PICTURES = $(CURDIR)/.bin/pictures
prove-browser: compiled
	@rm -rf $(COMMERCE_TEST_PICTURES)
	@$(call run,browser,internal/proof,./browser/...)
	@echo "prove: pictures of all pages are in $(COMMERCE_TEST_PICTURES)"

tools: ## Build the commands of internal/proof/cmd to .bin
	@go -C internal/proof build -o $(CURDIR)/.bin/ ./cmd/...

# Compile once, before two concurrent go commands both compile the same packages.
compiled:
	@go -C internal/proof build -o $(CURDIR)/.bin/ ./cmd/gotest ./cmd/requires
	@go build $(WATCHED) $$(go list -f '{{if ne .Name "main"}}{{.ImportPath}}{{end}}' ./...)

check: ## Formatting, vet and lint without warnings; tests that the race detector would change or slow
	@unformatted=$$(git ls-files -co --exclude-standard '*.go' | xargs gofmt -s -l); \
	if [ -n "$$unformatted" ]; then echo "gofmt -s would change:"; echo "$$unformatted"; exit 1; fi
	@for m in $(MODULES); do (cd $$m && go vet ./... && $(TOOL) staticcheck ./... && go mod tidy -diff) || exit 1; done
	@for m in . internal/proof; do (cd $$m && COMMERCE_TEST_TIER=prove go test -run '$(UNWATCHED)' $(call having,$(UNWATCHED))) || exit 1; done
	@echo "check: no warning"

dist: tools ## Build what users without Go install, as VERSION (v0.0.0-dev), into the directory dist
	@.bin/dist $(or $(VERSION),v0.0.0-dev)

release: tools ## Check that VERSION (vX.Y.Z) can be released, and list what it publishes; STEP=prepare and STEP=tag
	@.bin/release $(STEP:%=-%) $(VERSION)
	@$(if $(STEP),,.bin/dist -list $(VERSION))

bench: tools ## Measure every goal of speed and its floor, and print one table
	@.bin/bench

bench-peers: tools ## Measure the goals and all other libraries, and print one table (about half an hour)
	@cd internal/proof/peers && go test ./...
	@.bin/bench -peers

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

mutants: tools ## Plant defects one by one, and check that a test notices each; DEFECTS are words in their names
	@.bin/mutants $(DEFECTS)

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
