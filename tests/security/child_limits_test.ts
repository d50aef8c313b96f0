/** Limits of every program, whatever the server's own are. @module */
import assert from "node:assert/strict";
import { Sandbox, TEST_BINARY } from "../support/binary.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

/** Waits: the limit of open files is set right after the start. */
const PRINT = `
import resource, time
for _ in range(750):
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] <= 4096: break
    time.sleep(0.02)
print("core", *resource.getrlimit(resource.RLIMIT_CORE))
print("files", *resource.getrlimit(resource.RLIMIT_NOFILE))
resource.setrlimit(resource.RLIMIT_NOFILE, (5000, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
print("raised", resource.getrlimit(resource.RLIMIT_NOFILE)[0])
`;
import { LEVEL, needing } from "../support/needs.ts";

for (const level of ["full", "landlock", "bwrap", "none"] as const) {
  Deno.test(
    needing(`a program dumps no core and has an ordinary number of open files (${level})`, ...LEVEL[level]),
    async () => {
      await using sandbox = await Sandbox.make({ "limits.py": PRINT });
      const binary = `${sandbox.dir}/many.sh`; // a server that may have many
      await Deno.writeTextFile(binary, `#!/bin/sh\nulimit -Sn "$(ulimit -Hn)"\nexec ${TEST_BINARY} "$@"\n`, {
        mode: 0o755,
      });
      await using peer = await StdioPeer.open(sandbox, {
        binary,
        args: ["--set", "mcp.tools.confinement=best_effort"],
        env: { LLMC_TEST_LEVEL: level },
      });
      const answer = await peer.call("run_cmd", { argv: ["python3", "limits.py"] });
      assert.match(answer, /^core 0 0\nfiles 4096 \d+\nraised 5000/);
    },
  );
}
