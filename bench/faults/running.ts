/** Fault rows for commands: their output, what they leave behind, and when they end. @module */
import { bad, eventually, hangs, ok, type Probe, type Trial, type Verdict } from "./probe.ts";
import { endMarked, makeMark, marked } from "./processes.ts";

/** How fast what should end has to be gone. */
const GONE_MS = 5_000;

/** Runs a probe with a mark for the processes that it starts, and ends those that were left. */
function withMark(run: (trial: Trial, mark: string) => Promise<Verdict>): Probe["run"] {
  return async (trial) => {
    const mark = makeMark();
    try {
      return await run(trial, mark);
    } finally {
      await endMarked(mark);
    }
  };
}

/** Output, exit codes, children. */
export const RUNNING: readonly Probe[] = [
  {
    key: "exit_code",
    title: "exit code and failure of a command",
    needs: ["run"],
    async run({ contestant, call }) {
      const { text, isError } = await call(contestant.run?.("sh -c 'exit 37'"));
      const shown = text.includes("37");
      if (shown && isError) return ok("both shown");
      return bad(`${shown ? "code shown" : "no code"}, ${isError ? "flagged" : "not flagged"}`);
    },
  },
  {
    key: "fast_output",
    title: "output of fast commands",
    needs: ["output"],
    async run({ contestant, server, tries }) {
      let lost = 0;
      for (let index = 0; index < tries; index++) {
        const text = await contestant.output?.(server, `echo answer-${index * 7}`);
        if (!text?.includes(`answer-${index * 7}`)) lost++;
        server.forget();
      }
      return lost > 0 ? bad(`${lost} of ${tries} lost`) : ok("none lost");
    },
  },
  {
    key: "utf8_chunks",
    title: "characters that cross the chunks of a pipe",
    needs: ["output"],
    async run({ contestant, server }) {
      const text = await contestant.output?.(server, `python3 -c "print('x' + '日本語のテキスト' * 15000)"`) ?? "";
      const broken = text.match(/\ufffd/g)?.length ?? 0;
      if (!text.includes("日本語")) return bad("no output");
      return broken > 0 ? bad(`${broken} broken characters`) : ok("none broken");
    },
  },
  {
    key: "prompt_like_output",
    title: "output that looks like a prompt",
    needs: ["run"],
    async run({ contestant, call }) {
      const command =
        "python3 -c \"import time; print('Enter price in $ ', end='', flush=True); time.sleep(1); print('done-' + str(7))\"";
      const { text } = await call(contestant.run?.(command));
      return text.includes("done-7") ? ok("waited for the end") : bad("answers before the end");
    },
  },
  {
    key: "reads_stdin",
    title: "a command that reads its input",
    needs: ["run"],
    async run({ contestant, call }) {
      const started = performance.now();
      const answer = await call(contestant.run?.("cat"));
      const ms = Math.round(performance.now() - started);
      if (hangs(answer)) return bad("hangs");
      return ms > 4_500 ? bad(`waits ${(ms / 1000).toFixed(0)} s`) : ok("ends at once");
    },
  },
  {
    key: "pipe_holder",
    title: "a child in the background that holds the pipe",
    needs: ["run"],
    run: withMark(async ({ contestant, call }, mark) => {
      const answer = await call(contestant.run?.(`bash -c 'sleep ${mark} & echo started'`));
      if (hangs(answer)) return bad("hangs");
      return answer.text.includes("started") ? ok("answers") : bad("no output");
    }),
  },
  {
    key: "timeout_tree",
    title: "what a command started, after its time is over",
    needs: ["run"],
    run: withMark(async ({ contestant, server, call }, mark) => {
      const answer = await call(
        contestant.run?.(`bash -c '(sleep ${mark} & sleep ${mark}) & sleep ${mark}; true'`, 1_000),
      );
      await contestant.endCommand?.(server, answer);
      if (await eventually(async () => (await marked(mark)).length === 0, GONE_MS)) return ok("all gone");
      return bad(`${(await marked(mark)).length} processes left${hangs(answer) ? ", no timeout" : ""}`);
    }),
  },
  {
    key: "cancel",
    title: "the client cancels the call",
    needs: ["run"],
    run: withMark(async (trial, mark) => {
      const { server } = trial;
      const { id, started } = await startSleeper(trial, mark);
      if (!started) return bad("did not start");
      await server.notify("notifications/cancelled", { requestId: id, reason: "changed my mind" });
      return await verdictOnChild(mark);
    }),
  },
  {
    key: "input_ends",
    title: "the input ends while a command runs",
    needs: ["run"],
    run: withMark(async (trial, mark) => {
      const { server } = trial;
      if (!(await startSleeper(trial, mark)).started) return bad("did not start");
      await server.closeInput();
      const ended = await endsWithin(server.exited, GONE_MS);
      const { verdict, note } = await verdictOnChild(mark);
      return ended && verdict === "ok" ? ok("both gone") : bad(ended ? note : "the server lives on");
    }),
  },
  {
    key: "server_terminated",
    title: "the server is told to end while a command runs",
    needs: ["run"],
    run: withMark(async (trial, mark) => {
      if (!(await startSleeper(trial, mark)).started) return bad("did not start");
      trial.server.kill("SIGTERM");
      return await verdictOnChild(mark);
    }),
  },
  {
    key: "server_killed",
    title: "the server is killed while a command runs",
    needs: ["run"],
    run: withMark(async (trial, mark) => {
      if (!(await startSleeper(trial, mark)).started) return bad("did not start");
      trial.server.kill("SIGKILL");
      return await verdictOnChild(mark);
    }),
  },
];

/** A command that sleeps for long, and whether it is there. */
async function startSleeper({ contestant, server }: Trial, mark: string): Promise<{ id: number; started: boolean }> {
  const call = contestant.run?.(`sleep ${mark}`, 90_000);
  if (call === undefined) throw new Error("no such tool");
  const { id, answer } = server.begin(call.name, call.args);
  answer.catch(() => {}); // the server may end before it answers
  return { id, started: await eventually(async () => (await marked(mark)).length > 0, GONE_MS) };
}

async function verdictOnChild(mark: string): Promise<Verdict> {
  const gone = await eventually(async () => (await marked(mark)).length === 0, GONE_MS);
  return gone ? ok("the child is gone") : bad("the child lives on");
}

/** Whether a promise resolves in time. */
export async function endsWithin(ending: Promise<unknown>, limitMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), limitMs);
  try {
    return await Promise.race([ending.then(() => true), promise]);
  } finally {
    clearTimeout(timer);
  }
}
