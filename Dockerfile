# `docker build -t llmc-mcp .` makes the release from this checkout and an image of its executable. Equal sources give equal
# executables, so it is the published one, byte for byte. `--build-arg PACKAGES=released` takes it from dist/release/ instead.
ARG BASE=debian:bookworm-slim
ARG PACKAGES=built

FROM ${BASE} AS built
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates make npm \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN make release && mv dist/release /release

FROM ${BASE} AS released
COPY dist/release/SHA256SUMS dist/release/*.tar.gz /release/

FROM ${PACKAGES} AS unpacked
WORKDIR /release
RUN name=$(echo llmc-mcp-*-linux-"$(uname -m)".tar.gz) \
  && grep -F "  $name" SHA256SUMS | sha256sum --check \
  && tar -xzf "$name" --strip-components=1 --no-same-owner

FROM ${BASE}
# bubblewrap confines the programs that tools start; ripgrep and git are what agents ask for most.
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates git libgcc-s1 procps ripgrep \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --user-group --create-home --shell /usr/sbin/nologin llmc \
  && install -d -o llmc -g llmc -m 0700 /app/.llmc \
  && install -d -o llmc -g llmc /app /app/work \
  && git config --system --add safe.directory '*'
COPY --from=unpacked /release/llmc-mcp /usr/local/bin/llmc-mcp
COPY --from=unpacked /release/LICENSE /release/THIRD_PARTY_NOTICES /release/sbom.cdx.json /usr/share/doc/llmc-mcp/

# The data directory is a volume, the files to work on are mounted at /app/work. In a container the server has to
# listen on all its addresses; which of them the outside reaches is decided by what is published, and a token is needed.
ENV LLMC_MCP__DATA_DIR=/app/.llmc \
  LLMC_MCP__TOOLS__ALLOWED_ROOTS=/app/work \
  LLMC_MCP__SERVER__HOST=0.0.0.0
VOLUME /app/.llmc
WORKDIR /app/work
USER llmc
EXPOSE 8080

# No shell and no script in front: standard output belongs to the protocol from the first byte.
ENTRYPOINT ["/usr/local/bin/llmc-mcp"]
CMD ["stdio"]
