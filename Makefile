# One word per gate; people and continuous integration run the same.

.PHONY: build test lint format docs check bench tsan asan

build:
	swift build

test:
	swift test --disable-xctest

lint:
	swift format lint --strict --recursive Package.swift Plugins Sources Tests Benchmarks

format:
	swift format --in-place --recursive Package.swift Plugins Sources Tests Benchmarks

# The pages of docs/nodes; a test fails when one is stale.
docs: build
	.build/debug/foxfire nodes --markdown docs/nodes

check: lint test

# Ratios against peers, measured in turn on this machine; wants it quiet. Writes bench.json.
bench:
	scripts/bench

# Each sanitizer has a build folder of its own.
tsan:
	swift test --disable-xctest --sanitize thread --scratch-path .build/tsan

asan:
	swift test --disable-xctest --sanitize address --scratch-path .build/asan
