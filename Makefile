# Every target installs by itself what the system lacks, and says so.

CONFIGURATION ?= debug
FLAGS ?=
ARGS ?=
SECONDS ?= 60
COUNT ?= 100000
SEED ?=

.DEFAULT_GOAL := help
.PHONY: help run build test bench home fuzz sanitize coverage consumer package format lint hooks clean

help:
	@echo 'make run      build Countersign and try it: a screen signs in, you approve (first time: some minutes)'
	@echo 'make build    the command for real use: .build/release/countersign'
	@echo 'make test     everything that must hold, stage by stage'
	@echo 'make bench    how fast it is, beside others (ARGS: quick, nearby)'
	@echo 'make home     random schedules of a whole home (COUNT=100000), or one of them, event by event (SEED=7)'
	@echo 'make fuzz     the parsers for longer (SECONDS=60 each), or those that ARGS names'
	@echo 'make sanitize all tests once more, looking for data races (an hour or more)'
	@echo 'make coverage which lines the tests run, as a file (half an hour or more)'
	@echo 'make consumer build an app that uses the libraries, as a package of its own would (some minutes)'
	@echo 'make package  Debian packages with the runtime in them and a bill of materials, tried in a bare Debian (a quarter of an hour)'
	@echo 'make format   lay out the Swift code as the project does'
	@echo 'make lint     the written rules only, without building'
	@echo 'make hooks    look at each commit before it is made'
	@echo 'make clean    remove everything that was built'

run:
	@FLAGS='$(FLAGS)' Scripts/run.sh '$(CONFIGURATION)' $(ARGS)

build:
	@FLAGS='$(FLAGS)' Scripts/build.sh

test:
	@Scripts/test.sh

bench:
	@Scripts/bench.sh $(ARGS)

home:
	@Scripts/prepare.sh run
	@Scripts/home.sh '$(COUNT)' '$(SEED)'

fuzz:
	@Scripts/prepare.sh run
	@Scripts/fuzz.sh '$(SECONDS)' $(ARGS)

sanitize:
	@Scripts/sanitize.sh $(ARGS)

coverage:
	@Scripts/coverage.sh $(ARGS)

consumer:
	@Scripts/consumer.sh

package:
	@FLAGS='$(FLAGS)' Scripts/package.sh $(ARGS)

format:
	@Scripts/require-swift.sh
	@swift format --in-place --parallel --recursive Package.swift Sources Tests Examples Benchmarks Fuzz/Sources

lint:
	@Scripts/prepare.sh lint
	@Scripts/lint.sh

hooks:
	@git config core.hooksPath Scripts/hooks
	@echo 'Each commit is looked at by Scripts/hooks/pre-commit from now on.'

clean:
	@rm -rf .build
	@echo 'Removed .build.'
