# The verbs of this project. They need make, git, and npm or curl; everything else they bring themselves.

DENO_RUN = sh scripts/deno.sh
# `make run ROOT=/path` serves another folder, PORT another port.
ROOT = .
PORT = 8080
# `make test TESTS=tests/core` runs a part of the tests.
TESTS =

.PHONY: help run dev test conformance check build bench bench-check bench-code security soak mutation interop docs fmt vendor deps clean release test-packages test-clean-machine test-workflow

help:
	@echo 'make run      serve this folder on http://127.0.0.1:$(PORT) (ROOT=/path for another one)'
	@echo 'make test     run all tests, on the compiled program too (TESTS=tests/core for a part)'
	@echo 'make conformance  the official MCP suite, on the transport and on the executable'
	@echo 'make check    format, lint, types, generated documents, unused code'
	@echo 'make build    compile dist/llmc-mcp'
	@echo 'make dev      like run, and start again when a source file changes, with the same port and token'
	@echo 'make bench    measure beside published servers, and write docs/performance.md'
	@echo 'make bench-code  measure references and callers beside language servers and codegraph'
	@echo 'make bench-check  compare with recorded ratios and promised times, loosely (two minutes)'
	@echo 'make security attack the executable and published servers at length, and write docs/security-proof.md'
	@echo 'make soak     load the executable and give it every kind of trouble, and write docs/reliability-proof.md'
	@echo 'make mutation change the guarding and editing code in small ways, and see that a test notices each'
	@echo 'make interop  drive the executable with published clients from npm, and write the results into docs/clients.md'
	@echo 'make docs     generate the documents that come from the code'
	@echo 'make fmt      format the sources'
	@echo 'make clean    remove what was built'
	@echo 'make release  make all packages in dist/release/ (PUBLISH=1 ends when it is not known where they will be)'
	@echo 'make test-packages       install and run them in a bare Debian root, in a container, behind nginx and Caddy'
	@echo 'make test-clean-machine  clone, build, test and run in a Debian root with nothing but make, git and npm (PARTS="builds tests uses")'
	@echo 'make test-workflow  run the commands of the release workflow in a Debian root'

run: vendor
	@$(DENO_RUN) run -A --no-prompt main.ts serve --root "$(ROOT)" --port $(PORT) --fresh-token

dev:
	@$(DENO_RUN) run -A scripts/dev.ts --root "$(ROOT)" --port $(PORT)

test: deps
	@$(DENO_RUN) task --quiet test $(TESTS)

conformance: deps
	@$(DENO_RUN) task --quiet test --names tests/contract/conformance_test.ts

check:
	@$(DENO_RUN) task --quiet check

build:
	@$(DENO_RUN) task --quiet build

# Twenty minutes: every attack at length, on peers too. SECURITY_SECONDS=2 SECURITY_PATHS=5000 makes it short.
security: deps
	@$(DENO_RUN) task --quiet security

# Ten minutes; SOAK_SECONDS says how long.
soak: deps
	@$(DENO_RUN) task --quiet soak

# Some minutes; each run draws a seed. MUTATION_PER_GROUP=100 tries more, MUTATION_SEED=N the mutants of one seed again.
mutation: deps
	@$(DENO_RUN) task --quiet mutation

interop: deps build
	@$(DENO_RUN) task --quiet interop

bench: deps build
	@$(DENO_RUN) task --quiet bench

bench-check: deps build
	@$(DENO_RUN) task --quiet bench:check

bench-code: deps
	@$(DENO_RUN) task --quiet bench:code

docs:
	@$(DENO_RUN) task --quiet docs

fmt:
	@$(DENO_RUN) fmt

vendor:
	@$(DENO_RUN) task --quiet vendor

deps:
	@sh scripts/deps.sh

release:
	@$(DENO_RUN) task --quiet release $(if $(PUBLISH),--publish)

# Both need root and Debian's archive.
test-packages:
	@sh scripts/deps.sh debootstrap:debootstrap systemd-nspawn:systemd-container buildah:buildah podman:podman runc:runc \
	  podman-compose:podman-compose catatonit:catatonit /usr/lib/cni/bridge:containernetworking-plugins \
	  qemu-aarch64-static:qemu-user-static /usr/aarch64-linux-gnu/lib/libc.so.6:libgcc-s1-arm64-cross
	@$(DENO_RUN) task --quiet test-packages $(TESTS)

test-clean-machine:
	@sh scripts/deps.sh debootstrap:debootstrap
	@$(DENO_RUN) task --quiet test-clean-machine $(PARTS)

test-workflow:
	@sh scripts/deps.sh debootstrap:debootstrap
	@$(DENO_RUN) task --quiet test-workflow

# .deno/ and assets/ stay: both are expensive to get again and checked when used.
clean:
	rm -rf dist artifacts docs/coverage
