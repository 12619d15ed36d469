# One word per gate; people and continuous integration run the same.

.PHONY: build test lint format docs check bench soak fuzz tsan asan

build:
	swift build

test:
	swift test --disable-xctest

lint:
	swift format lint --strict --recursive Package.swift Plugins Sources Tests Benchmarks Fuzz
	shellcheck -x foxfire test .ci/run scripts/bench scripts/soak scripts/kill-batch scripts/slurm-cluster scripts/slurm-batch scripts/segment-cost

format:
	swift format --in-place --recursive Package.swift Plugins Sources Tests Benchmarks Fuzz

# The pages of docs/nodes and docs/parameters.md; a test fails when one is stale.
docs: build
	.build/debug/foxfire nodes --markdown docs/nodes
	.build/debug/foxfire presets parameters -y -o docs/parameters.md

check: lint test

# Ratios against peers, measured in turn on this machine; wants it quiet. Writes bench.json.
bench:
	scripts/bench

SECONDS ?= 60

# Stops films at random moments, under load, for SECONDS.
soak:
	scripts/soak $(SECONDS)
	scripts/kill-batch .build/release/foxfire 100
	scripts/slurm-batch .build/release/foxfire busy split stopped lost orphan frozen

# Looks for inputs that break a parser, for SECONDS each; what it finds goes to Fixtures/crashes.
fuzz:
	FOXFIRE_FUZZ=1 swift build --sanitize fuzzer -c release --scratch-path .build/fuzz
	for target in GraphFile:graph PresetFile:preset Checkpoint:checkpoint \
		ModulationTable:modulation ModulationTrack:track FoxFiles:fox HEVCStream:hevc CaptureLog:log CaptureIndex:index Still:still; do \
		name=$${target#*:}; mkdir -p .build/fuzz/corpus/$$name; \
		SWIFT_BACKTRACE=enable=no .build/fuzz/release/$${target%:*}Fuzz \
			-max_total_time=$(SECONDS) -max_len=8192 \
			-artifact_prefix=Fixtures/crashes/$$name- .build/fuzz/corpus/$$name \
			Fuzz/seeds/$$name || exit; \
	done

# Each sanitizer has a build folder of its own.
tsan:
	swift test --disable-xctest --sanitize thread --scratch-path .build/tsan

asan:
	swift test --disable-xctest --sanitize address --scratch-path .build/asan
