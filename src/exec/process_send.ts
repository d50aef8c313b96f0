/** Writes to a managed process as a person at the keyboard would. @module */
import type { Entry } from "./process_entry.ts";
import { within } from "../core/time.ts";
import { encodeText } from "../core/bytes.ts";
import { OpsError } from "../core/error.ts";
import type { SignalName } from "../sandbox/children.ts";
import { sentNow } from "./echo.ts";
import type { SendRequest } from "./processes.ts";

const MAX_INPUT_BYTES = 256 * 1024;
/** A process that does not read its input must not hold up the call. */
const WRITE_TIMEOUT_MS = 5_000;
/** What control keys do where there is no terminal that would do it. */
const SIGNALS: Readonly<Record<string, SignalName>> = { c: "INT", "\\": "QUIT", z: "STOP", q: "CONT" };

/** @throws OpsError INVALID_ARGUMENT, PROCESS_NOT_FOUND, TIMEOUT */
export async function sendToProcess(entry: Entry, { input, enter, eof, control }: SendRequest): Promise<void> {
  const key = control?.toLowerCase();
  if (key !== undefined && !/^[a-z@[\]\\^_]$/.test(key)) {
    throw new OpsError("INVALID_ARGUMENT", `there is no control key '${control}'`, "Give one letter: c is Ctrl-C.");
  }
  // Enter belongs to what was typed: a bare control key or end of input has none.
  const isBare = input === "" && (eof || key !== undefined);
  const text = input + (enter && !isBare ? entry.pty ? "\r" : "\n" : "");
  entry.sent = sentNow(entry.run.output.bytes, text, entry.pty);
  if (text !== "") await write(entry, text);
  if (key !== undefined) await press(entry, key);
  if (eof) await endInput(entry);
}

async function press(entry: Entry, key: string): Promise<void> {
  if (entry.pty) return await write(entry, String.fromCharCode(key.toUpperCase().charCodeAt(0) & 0x1f));
  if (key === "d") return await endInput(entry);
  const signal = SIGNALS[key];
  if (signal === undefined) {
    throw new OpsError(
      "INVALID_ARGUMENT",
      `Ctrl-${key.toUpperCase()} has no effect without a terminal`,
      "Start the process with pty: true.",
    );
  }
  await entry.run.child.signal(signal);
}

async function endInput(entry: Entry): Promise<void> {
  if (entry.pty) return await write(entry, "\x04");
  await deliver(entry, () => {
    entry.inputEnded = true;
    return entry.run.child.closeStdin();
  });
}

async function write(entry: Entry, text: string): Promise<void> {
  if (entry.inputEnded) {
    throw new OpsError("INVALID_ARGUMENT", "the input of this process was closed", "Start it again to send more.");
  }
  const bytes = encodeText(text);
  if (bytes.length > MAX_INPUT_BYTES) {
    throw new OpsError(
      "INVALID_ARGUMENT",
      `'input' is longer than ${MAX_INPUT_BYTES / 1024} KiB`,
      "Send it in parts, or by a file.",
    );
  }
  await deliver(entry, () => entry.run.child.write(bytes));
}

/** What is not read in time waits for the process; until then it gets nothing more, so that nothing is sent twice. */
async function deliver(entry: Entry, give: () => Promise<void>): Promise<void> {
  if (entry.inputWaits) throw notRead("the process has not read what it was sent before");
  const given = give();
  if (await within(given.then(() => true), WRITE_TIMEOUT_MS, false)) return;
  entry.inputWaits = true;
  const read = () => entry.inputWaits = false;
  given.then(read, read);
  throw notRead("the process does not read its input");
}

function notRead(message: string): OpsError {
  const hint = "Read its output first; it may wait for that. What was sent stays in line: do not send it again.";
  return new OpsError("TIMEOUT", message, hint);
}
