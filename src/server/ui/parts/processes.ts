/** Long-lived programs, their latest output, and the button that ends them. @module */
import { visible } from "../../../core/visible.ts";
import { humanSize } from "../../../core/bytes.ts";
import { type Markup, markup } from "../markup.ts";
import type { ShownProcess } from "../moment.ts";
import { actButton, nothing, panel, type Part, type View } from "../part.ts";
import { clockText, spanText } from "../wording.ts";

/** Those that ended stay until they are forgotten. */
export const processesPart: Part = {
  id: "processes",
  className: "side",
  render(moment, view) {
    const processes = moment.processes();
    const { max_procs_total: most } = moment.config.settings.linux_ops.process_limits;
    const running = processes.filter(({ state }) => state === "running").length;
    const aside = markup`<span class="muted">${running} of at most ${most} running</span>`;
    if (processes.length === 0) return panel("Processes", nothing("No program outlives its call."), aside);
    const rows = processes.map((each) => processRow(each, moment.nowMs, view));
    return panel("Processes", markup`<ul class="rows processes">${rows}</ul>`, aside);
  },
};

const TAIL_LINES = 8;

function processRow(process: ShownProcess, nowMs: number, { mayAct }: View): Markup {
  const { procId, pid, state, command, startedAt, outputBytes, tail, pty, confinement } = process;
  const about = `process ${pid}`;
  return markup`<li id="${procId}"><div class="process-head"><code class="command" title="${visible(command)}">${
    visible(command)
  }</code>${
    mayAct && state === "running" ? actButton("Stop", about, "stop", procId, "bad small", true) : stateBadge(process)
  }</div>
<p class="muted">pid ${pid} · since ${clockText(startedAt).slice(0, 5)} (${spanText(nowMs - startedAt)}) · ${
    humanSize(outputBytes)
  } printed${pty ? " · terminal" : ""}${confinement === "none" ? markup` · <strong>not confined</strong>` : ""}</p>
<pre class="tail" tabindex="0" aria-label="Output of ${about}">${
    lastLines(visible(tail)) || "(no output yet)"
  }</pre></li>`;
}

function stateBadge({ state, exitCode, signal }: ShownProcess): Markup {
  if (state === "running") return markup`<span class="badge run">running</span>`;
  const kind = exitCode === 0 ? "good" : "warn";
  return markup`<span class="badge ${kind}">${signal ? `ended by ${signal}` : `exit ${exitCode ?? "?"}`}</span>`;
}

function lastLines(text: string): string {
  return text.replace(/\n+$/, "").split("\n").slice(-TAIL_LINES).join("\n");
}
