# One word per gate; people and continuous integration run the same.

.PHONY: build test lint format docs check tsan asan

build:
	swift build

test:
	swift test --disable-xctest

lint:
	swift format lint --strict --recursive Package.swift Plugins Sources Tests

format:
	swift format --in-place --recursive Package.swift Plugins Sources Tests

# The pages of docs/nodes; a test fails when one is stale.
docs: build
	.build/debug/foxfire nodes --markdown docs/nodes

check: lint test

# Each sanitizer has a build folder of its own.
tsan:
	swift test --disable-xctest --sanitize thread --scratch-path .build/tsan

asan:
	swift test --disable-xctest --sanitize address --scratch-path .build/asan
