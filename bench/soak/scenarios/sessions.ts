/**
 * Scenario: sessions of one principal share its results and processes; other principals cannot read, use or end them,
 * even with guessed names.
 * @module
 */
import { badLines, makeFolders, type Scenario, type Setting } from "../scenario.ts";
import type { Outcome } from "../../../scripts/reports/reliability.ts";
import { speakHttp, speakStdio } from "../speakers.ts";

const SESSIONS = 20;

export const sessions: Scenario = {
  name: "handles and programs of other principals",
  share: 0.03,
  async run({ program, dir, scale }: Setting): Promise<Outcome> {
    const { root, env } = await makeFolders(dir);
    const http = await speakHttp({ program, root, env }), stdio = await speakStdio({ program, root, env });
    const otherToken = await speakHttp({ program, root, env });
    const faults: string[] = [], kept: { session: string; handle: string; proc: string; word: string }[] = [];
    for (let index = 0; index < Math.max(3, Math.ceil(SESSIONS * scale)); index++) {
      const session = `s${index}`, word = `word-of-${session}-${crypto.randomUUID()}`;
      const script = `for i in $(seq 30000); do echo ${word} $i; done`;
      const { text } = await http.call("run_cmd", { argv: ["bash", "-c", script] }, session);
      const started = await http.call("linux_proc_start", { argv: ["cat"] }, session);
      kept.push({
        session,
        word,
        handle: text.match(/\bH_\w+/)?.[0] ?? "",
        proc: started.text.match(/\bP_\w+/)?.[0] ?? "",
      });
    }
    let tries = 0;
    for (const { session, handle, proc, word } of kept) {
      for (const each of [session, "another session"]) {
        const own = await http.call("linux_handle_read", { handle }, each);
        if (!own.text.includes(word)) faults.push(`a principal cannot read its own: ${own.text.slice(0, 200)}`);
      }
      for (const other of ["s0", session, "someone"]) {
        for (const speaker of [otherToken, stdio]) {
          for (
            const [name, args] of [
              ["linux_handle_read", { handle }],
              ["linux_proc_read", { proc_id: proc }],
              ["linux_proc_send", { proc_id: proc, input: "x" }],
              ["linux_proc_stop", { proc_id: proc }],
            ] as const
          ) {
            tries++;
            const { code, text } = await speaker.call(name, args, other);
            if (text.includes(word) || code === null && !/no.such.process/.test(text)) {
              faults.push(`${name} of another principal: ${text.slice(0, 200)}`);
            }
          }
        }
      }
    }
    await http.kill();
    await http.restart();
    for (const { session, handle, word } of kept.slice(0, 3)) {
      const again = await http.call("linux_handle_read", { handle }, session);
      if (!again.text.includes(word)) faults.push(`a result did not outlive a kill: ${again.text.slice(0, 200)}`);
    }
    await Promise.all([http.close(), otherToken.close(), stdio.close()]);
    return {
      figures: { sessions: kept.length, tries },
      faults: [...faults, ...badLines(http.log() + otherToken.log() + stdio.log())],
    };
  },
};
