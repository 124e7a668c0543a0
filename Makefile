# Thin: each target is one command that can be typed by hand.

GO ?= go
# Without these tags the linker keeps every method: for plug-ins of kustomize, and for
# the templates of gRPC's tracing pages. All targets have them, so that nothing is
# compiled twice.
TAGS = kustomize_disable_go_plugin_support,grpcnotrace
export GOFLAGS += -tags=$(TAGS)
GOLANGCI_LINT ?= v2.15.0

.PHONY: build demo install test test-short golden twice lint prose fuzz hostile bench soak ssatest serve-upstream serve-recordings serve-reads serve-clients serve-checks race-serve generate kubernetes parity pictures site oracle tell clients browser release-check clean

build:
	$(GO) build -o bin/ssactl ./cmd/ssactl
	$(GO) build -o bin/ssactl-serve ./cmd/ssactl-serve

# The main job on an example. Its answer is no (exit code 1), as it should be.
demo: build
	cd examples/autoscaler && ../../bin/ssactl apply -f web.yaml --live web-live.yaml --client helm || test $$? -eq 1

install:
	$(GO) install ./cmd/ssactl ./cmd/ssactl-serve

# The whole suite: no network but the module proxy, no server.
test:
	$(GO) test -timeout 30m ./...

# The same with a sample of the recordings, of the hostile runs and of the scripts.
test-short:
	$(GO) test -short ./...

# Writes what every test expects to be shown, from what is shown: goldens, pictures,
# console blocks and the reference. Read the diff before you commit it.
golden:
	$(GO) test -vet=off $$(grep -rlE 'test/golden"|flag.Bool\("update"' --include='*_test.go' internal | xargs -n1 dirname | sort -u | grep -vx internal/server | sed 's|^|./|') -update

# Installs rendered charts a second time by each client, and writes docs/second-install.md.
twice:
	$(GO) test -vet=off ./internal/cmd -run TestSecondInstall -update

lint:
	$(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT) run --timeout 20m

# Expressions that help, output and documentation do not use (hack/prose/banned.txt).
prose:
	$(GO) test ./hack/prose

FUZZTIME ?= 20s
fuzz:
	sh hack/fuzz.sh $(FUZZTIME)

# The module for tests of others, over the server of ssactl serve.
ssatest: build
	cd ssatest && SSACTL=$(CURDIR)/bin/ssactl GOFLAGS= $(GO) test ./...

# Kubernetes' own integration tests of apply, against servers of ssactl serve.
serve-upstream:
	sh test/serve/run.sh

# What was recorded of a real server, asked of the server of ssactl serve: ten minutes. The steps of
# walks are without those before them.
RECORDINGS = $(filter-out %/walks.jsonl.gz,$(wildcard testdata/corpus/*.gz testdata/flags/*.gz))
serve-recordings:
	test -n "$(RECORDINGS)"
	cd test/oracle && $(GO) build -o oracle.bin .
	cd test/oracle && for f in $(RECORDINGS); do \
		./oracle.bin verify -served ../../$$f || failed=1; done; rm -f oracle.bin; test -z "$$failed"

# Discovery, schemas, lists, watches and refusals of a real server, compared with those of
# ssactl serve.
serve-reads:
	cd test/oracle && $(GO) run . beside

# kubectl, Helm 3 and 4, Flux and Argo CD against a real server, and then against ssactl serve:
# RUNS_OF_EACH=14 of each. The first time they are built, for minutes.
serve-clients: build
	SSACTL=$(CURDIR)/bin/ssactl sh test/clients/record.sh $(CURDIR)/bin/clients.jsonl.gz -n $(or $(RUNS_OF_EACH),14)

# What ssactl serve is to kubectl, to Helm as a library and to other clients in Go, and what it leaves
# behind. The gate does not run it: linking the server once more takes a minute, and the run some.
# SOAK=10m has clients write for longer. Clients that the machine lacks are named at the end.
SOAK ?= 15s
serve-checks: build
	cd test/serve && SSACTL=$(CURDIR)/bin/ssactl SOAK=$(SOAK) $(GO) test -vet=off -count 1 -timeout 30m

# The server in the process of its tests, under the race detector: compiling Kubernetes for it takes
# a quarter of an hour.
race-serve:
	$(GO) test -race -vet=off -timeout 30m ./internal/serve/...

# What hostile input must not do: every test whose name begins with TestHostile,
# each with so many runs; writes the figures of docs/security.md.
RUNS ?= 2000
hostile:
	HOSTILE_RUNS=$(RUNS) HOSTILE_FIGURES=$(CURDIR)/docs/security.md $(GO) test -run '^TestHostile' -count 1 -p 1 -timeout 60m -v ./internal/... | grep -E '^(---|===|ok|FAIL|panic|    )' | grep -vE '=== RUN|no test files|no tests to run'

# Whole runs on made-up clusters: writes the table of docs/performance.md. ORACLE=FILE
# names a built test/oracle, to compare with kubectl and a real server, and UPGRADES=DIR a
# directory with real upgrades.
ORACLE ?=
UPGRADES ?=
bench: build
	$(GO) run ./test/bench -ssactl bin/ssactl -oracle "$(ORACLE)" -upgrades "$(UPGRADES)" -doc docs/performance.md

# The parts, for benchstat.
bench-parts:
	$(GO) test -run '^$$' -bench . -benchmem -count 6 ./internal/server ./internal/engine ./internal/jsontree ./internal/document/plainyaml ./internal/server/schema ./internal/input/manifest ./internal/input/live

# Sends recorded requests, changed at random, to the server in the process.
REQUESTS ?= 1000000
SEED ?= 1
soak:
	$(GO) test ./internal/server -run TestChangedRequests -count 1 -timeout 0 -v -args -requests $(REQUESTS) -seed $(SEED)

generate:
	cd hack/genschema && $(GO) run .

# Raises the linked Kubernetes release, as far as a command can.
kubernetes:
	sh hack/kubernetes.sh $(VERSION)

# Replays the recordings and writes the table of docs/parity.md.
parity:
	$(GO) test ./internal/server -run TestReplay -count 1 -v -args -update

# Draws the pictures of the documentation from what the commands print: those of the
# terminal, and where a browser is installed the one of the page.
pictures: build
	$(GO) test ./internal/cmd -run TestPictures -count 1 -update
	sh test/browser/picture.sh bin/ssactl docs/pictures/page.png

# Compares random walks with a real kube-apiserver that it starts.
N ?= 2000
OUT ?= differences
oracle:
	cd test/oracle && $(GO) run . compare -n $(N) -seed 1 -limit 30m -out $(OUT)

# Tells the stories of examples to a real kube-apiserver, and checks what they expect of it.
tell:
	cd test/oracle && $(GO) run . tell ../../examples/stories

# Records what kubectl, Helm, Flux and Argo CD do to a real server, and writes the table of
# docs/parity.md. The first run builds them, for minutes.
clients:
	sh test/clients/record.sh testdata/clients/runs.jsonl.gz
	$(GO) test ./internal/cmd -run TestClientRuns -count 1 -update

# The documentation as a static site, in _site.
site:
	$(GO) run ./hack/site _site

# Looks at the HTML report, and at the site, in a headless Chromium.
browser:
	cd test/browser && npm ci && npm test

# Tries a release of this commit for this platform: what goreleaser, the workflows and
# the archive are worth. The first run builds goreleaser, for minutes.
release-check:
	sh hack/release/check.sh

clean:
	rm -rf bin dist .release _site
