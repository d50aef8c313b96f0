/** Switches the terminal to full screen and restores it. @module */

/** What the borrower may do. */
export interface Terminal {
  readonly colour: boolean;
  size(): { readonly width: number; readonly height: number };
  /** Shows lines from the top; what was there before goes. */
  draw(lines: readonly string[]): void;
}

/** What the person does. */
export interface Person {
  /** A key, as the terminal sends it. */
  onKey(key: string): void;
  onResize(): void;
  /** The process is asked to end. */
  onEnd(): void;
}

const ENTER = "\x1b[?1049h\x1b[?25l", LEAVE = "\x1b[?25h\x1b[?1049l";
const HOME = "\x1b[H", CLEAR_LINE = "\x1b[K", CLEAR_REST = "\x1b[J";
const lineAt = (index: number) => `\x1b[${index + 1};1H`;
const encoder = new TextEncoder();

/** Takes the terminal over for as long as `work` runs. */
export async function withTerminal(person: Person, work: (terminal: Terminal) => Promise<void>): Promise<void> {
  const { onResize, onEnd } = person;
  const reader = Deno.stdin.readable.getReader();
  Deno.stdin.setRaw(true);
  Deno.addSignalListener("SIGWINCH", onResize);
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) Deno.addSignalListener(signal, onEnd);
  write(ENTER);
  void readKeys(reader, person);
  try {
    await work({
      colour: !Deno.env.get("NO_COLOR"),
      size() {
        const { columns, rows } = Deno.consoleSize();
        return { width: columns, height: rows };
      },
      // Each line goes to its place and is cleared behind what was written, so that nothing flickers or scrolls.
      draw: (lines) =>
        write(HOME + lines.map((line, index) => `${lineAt(index)}${line}${CLEAR_LINE}`).join("") + CLEAR_REST),
    });
  } finally {
    write(LEAVE);
    Deno.stdin.setRaw(false);
  }
}

async function readKeys(reader: ReadableStreamDefaultReader<Uint8Array>, { onKey, onEnd }: Person): Promise<void> {
  const decoder = new TextDecoder();
  for (let part = await reader.read(); !part.done; part = await reader.read()) onKey(decoder.decode(part.value));
  onEnd(); // the terminal is gone
}

function write(text: string): void {
  let bytes = encoder.encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(Deno.stdout.writeSync(bytes));
}
