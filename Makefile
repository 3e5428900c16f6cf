# Everything this project does is one of these targets; `make help` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# Debian packages by name. The client needs the first group, the embedded service the second,
# the tests and benchmarks the third.
PACKAGES_CLIENT := pkg-config libgrpc-dev libasound2-dev libspeexdsp-dev libsndfile1-dev ca-certificates
PACKAGES_SERVICE := libpocketsphinx-dev libsphinxbase-dev pocketsphinx-en-us flite1-dev libssl-dev libyaml-dev
PACKAGES_TESTS := g++ make git openssl python3 protobuf-compiler protobuf-c-compiler protobuf-compiler-grpc \
	libprotobuf-c-dev libprotobuf-dev libgrpc++-dev pulseaudio pulseaudio-utils libasound2-plugins alsa-utils \
	flite espeak-ng sox
PACKAGES := $(PACKAGES_CLIENT) $(PACKAGES_SERVICE) $(PACKAGES_TESTS)

BUILD := .build
RELEASE := $(BUILD)/release
DEBUG := $(BUILD)/debug

CONFIG ?= Tests/Cases/speech/repos.sal
FILE ?= Tests/Cases/speech/show-me-all-python-repos.slt.wav \
	Tests/Cases/speech/sort-the-results-by-forks.rms.wav \
	Tests/Cases/speech/show-me-only-typescript-items.rms.44100-stereo-24bit.flac
# A `speechly` that is already built; `make demo` builds one in release otherwise.
SPEECHLY ?=
# Minutes of accelerated and of real capture.
CAPTURE ?= 30,10
# Seconds of fuzzing in all.
T ?= 600

swift_sources = $$(find Package.swift Sources Tests -name .build -prune -o -name '*.swift' -print)

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 12

.PHONY: deps
deps: ## install the Debian packages that are missing
	@.ci/install-packages $(PACKAGES)

.PHONY: build
build: ## build everything for development
	@swift build

.PHONY: demo
demo: deps ## hear real speech through the embedded service: make demo [FILE=…] [CONFIG=…]
ifeq ($(SPEECHLY),)
	@echo "Building in release; the first time takes a few minutes."
	@swift build -c release --product speechly
	@$(RELEASE)/speechly transcribe --config $(CONFIG) --partial $(FILE)
else
	@$(SPEECHLY) transcribe --config $(CONFIG) --partial $(FILE)
endif

.PHONY: test
test: deps ## run the whole test suite and the consumer check
	swift build --build-tests
	swift test --skip-build 2>&1 | tee $(BUILD)/test.log
	@$(MAKE) --no-print-directory consumer 2>&1 | tee -a $(BUILD)/test.log
	@python3 Tests/DocumentationTests/check_transcript.py README.md 'make test' $(BUILD)/test.log

.PHONY: consumer
consumer: ## build and run a separate package that depends on this one
	@swift build --product speechly
	@Tests/Consumer/run.sh $(DEBUG)/speechly

.PHONY: lint
lint: ## check the style of every Swift file
	@swift format lint --strict $(swift_sources)
	@echo "lint: $$(echo $(swift_sources) | wc -w) files are clean"

.PHONY: format
format: ## rewrite every Swift file in the project's style
	swift format --in-place $(swift_sources)

.PHONY: bench
bench: ## measure against peers built from Debian's packages
	@status=0; for script in Tests/Benchmarks/run-*.sh; do \
	  echo "== $$script"; "$$script" || status=1; \
	done; exit $$status

.PHONY: soak
soak: deps soak-capture soak-client ## long runs with faults: make soak [CAPTURE=minutes,minutes] [SOAK=seconds]

.PHONY: soak-capture
soak-capture: ## capture for 30 accelerated minutes and 10 real ones: [CAPTURE=minutes,minutes]
	@swift build --build-tests
	@SPEECHLY_SOAK=$(CAPTURE) swift test --skip-build --filter CaptureSoakTests

.PHONY: soak-client
soak-client: ## an hour of clients among faults, with memory, threads and descriptors: [SOAK=seconds]
	@swift build -c release --product chaos
	@$(RELEASE)/chaos soak $(SOAK)

.PHONY: sanitize
sanitize: ## run the suite under the thread and address sanitizers, the C shim with undefined-behaviour traps
	swift test --sanitize=thread --scratch-path $(BUILD)/tsan
	# XCTest itself never frees its test cases, which the leak check would report.
	ASAN_OPTIONS=detect_leaks=0 swift test --sanitize=address --scratch-path $(BUILD)/asan
	swift test --filter SpeechlyGRPCTests --scratch-path $(BUILD)/ubsan \
	  -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined

# Sessions of `make chaos` and its seed; seconds of `make soak`.
N ?= 10000
SEED ?= 1
SOAK ?= 3600

.PHONY: chaos
chaos: ## drive clients through faults: make chaos [N=sessions] [SEED=s]
	@swift build -c release --product chaos
	@$(RELEASE)/chaos run $(N) $(SEED)

.PHONY: coverage
coverage: ## run the suite and print the lines that it covers, by module
	@swift test --enable-code-coverage --scratch-path $(BUILD)/coverage >$(BUILD)/coverage.log 2>&1 \
	  || { tail -40 $(BUILD)/coverage.log; exit 1; }
	@python3 .ci/coverage.py "$$(swift test --enable-code-coverage --scratch-path $(BUILD)/coverage --show-codecov-path)" \
	  Core=90 Proto=90 GRPC=90 Speechly=90

.PHONY: fuzz
fuzz: ## fuzz the decoder and the compiler of configurations: make fuzz [T=seconds each]
	Tests/Fuzzing/run.sh $(T)
	Tests/Fuzzing/run-sal.sh $(T)

.PHONY: docs
docs: ## write docs/reference from the symbol graph
	@swift build
	python3 docs/tools/reference.py $(DEBUG) docs/reference

.PHONY: docs-check
docs-check: ## check that docs/reference is what the sources say
	@swift build
	@python3 docs/tools/reference.py $(DEBUG) $(BUILD)/reference
	@diff -ru docs/reference $(BUILD)/reference || { echo "docs/reference is stale: run 'make docs'"; exit 1; }

.PHONY: clean
clean: ## remove everything that was built
	rm -rf $(BUILD) Tests/Benchmarks/.build Tests/Fuzzing/.build Tests/Consumer/.build
