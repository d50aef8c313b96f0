/** Unix sockets of desktop programs, by path: a child cannot connect to any of them. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox, TEST_BINARY } from "../support/binary.ts";
import { LEVEL, needing } from "../support/needs.ts";

/** Where each program has its socket: below the user's runtime folder, home, the temporary folder or /run. */
const SOCKETS: Readonly<Record<string, (places: Places) => string>> = {
  docker: ({ run }) => `${run}/docker.sock`,
  "D-Bus": ({ run }) => `${run}/bus`,
  "ssh-agent": ({ temp }) => `${temp}/agent.1`,
  gpg: ({ home }) => `${home}/.gnupg/S.gpg-agent`,
  Wayland: ({ run }) => `${run}/wayland-0`,
  PipeWire: ({ run }) => `${run}/pipewire-0`,
  X11: ({ temp }) => `${temp}/X0`,
};

interface Places {
  readonly run: string;
  readonly home: string;
  readonly temp: string;
}

/** Connects to each path, by itself and through links; then to those that the machine has. */
const CONNECT = `
import glob, os, socket, sys
def attempt(path, kind):
    try:
        with socket.socket(socket.AF_UNIX, kind) as made:
            made.settimeout(2); made.connect(path); print("REACHED", path)
    except OSError: pass
usual = ["/var/run/docker.sock", "/run/docker.sock", "/run/dbus/system_bus_socket", "/run/systemd/private", "/run/containerd/containerd.sock"]
usual += glob.glob("/tmp/.X11-unix/*") + glob.glob("/run/user/*/*") + glob.glob("/tmp/ssh-*/*")
for index, path in enumerate(sys.argv[1:] + usual):
    link = f"link{index}"; os.symlink(path, link)
    for way in [path, link, "/proc/self/root" + path, "/proc/1/root" + path]:
        for kind in [socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET]: attempt(way, kind)
for name in ["DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK", "WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "DOCKER_HOST", "XDG_RUNTIME_DIR"]:
    if name in os.environ: print("TOLD", name)
print("tried", len(sys.argv) - 1)
`;

/** A program outside that listens on all of them. */
const LISTEN = `
import os, socket, sys
held = []
for path in sys.argv[1:]:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    one = socket.socket(socket.AF_UNIX); one.bind(path); one.listen(); os.chmod(path, 0o777); held.append(one)
# The control: from outside they answer.
for path in sys.argv[1:]: socket.socket(socket.AF_UNIX).connect(path)
print("ready", flush=True)
sys.stdin.read()
`;

for (const level of ["full", "landlock", "bwrap"] as const) {
  Deno.test(needing(`a child reaches no socket of the desktop at level ${level}`, ...LEVEL[level]), async () => {
    await using sandbox = await Sandbox.make();
    const places = { run: `${sandbox.dir}/run`, home: `${sandbox.dir}/home`, temp: `${sandbox.dir}/temp` };
    const paths = Object.values(SOCKETS).map((place) => place(places));
    const listener = new Deno.Command("python3", {
      args: ["-c", LISTEN, ...paths],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const reader = listener.stdout.getReader();
    try {
      assert.match(new TextDecoder().decode((await reader.read()).value), /ready/);
      const argv = JSON.stringify(["python3", "-c", CONNECT, ...paths]);
      const told = {
        DBUS_SESSION_BUS_ADDRESS: `unix:path=${paths[1]}`,
        SSH_AUTH_SOCK: `${paths[2]}`,
        WAYLAND_DISPLAY: "wayland-0",
        DISPLAY: ":0",
        DOCKER_HOST: `unix://${paths[0]}`,
      };
      const { stdout, stderr } = await runBinary(
        ["tool", "run_cmd", `argv=${argv}`, "--json", "--root", sandbox.root],
        {
          env: { ...sandbox.env, ...told, LLMC_TEST_LEVEL: level },
          binary: TEST_BINARY,
        },
      );
      assert.equal(JSON.parse(stdout).stdout, `tried ${paths.length}\n`, stdout + stderr);
    } finally {
      await listener.stdin.close();
      await reader.cancel();
      await listener.status;
    }
  });
}
