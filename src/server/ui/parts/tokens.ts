/** Tokens of results, compared with what the full results would have cost. @module */
import { humanSize } from "../../../core/bytes.ts";
import type { TeUsage } from "../../../store/calls.ts";
import type { TokenSum } from "../call_watch.ts";
import { type Markup, markup } from "../markup.ts";
import { nothing, panel, type Part } from "../part.ts";
import { countText, percentText } from "../wording.ts";

/** By tool since the start, then the commands of the Tool Envelope as one line. */
export const tokensPart: Part = {
  id: "tokens",
  className: "half",
  render(moment, { range }) {
    const title = "Tokens of answers";
    const tools = [...moment.tokens()].filter(([, { full }]) => full > 0)
      .sort(([, left], [, right]) => right.full - left.full).slice(0, MAX_TOOLS);
    const commands = commandsLine(moment.commands(range) ?? [], range);
    if (tools.length === 0) return panel(title, markup`${nothing("No call was answered since the start.")}${commands}`);
    const most = Math.max(...tools.map(([, { full }]) => full));
    return panel(
      title,
      markup`<div class="scroll" tabindex="0" role="region" aria-label="Tokens by tool"><table class="meters"><thead><tr><th scope="col">Tool</th>
<th scope="col" class="meter"><span class="unseen">Shown as a bar</span></th><th scope="col" class="number">Sent</th><th scope="col" class="number">As full JSON</th><th scope="col" class="number">Saved</th></tr></thead>
<tbody>${tools.map(([name, sum]) => toolRow(name, sum, most))}</tbody></table></div>${commands}`,
      markup`<span class="muted">estimated, since the start</span>`,
    );
  },
};

const MAX_TOOLS = 8;

function toolRow(name: string, { sent, full }: TokenSum, most: number): Markup {
  return markup`<tr id="tokens-${name}"><th scope="row"><code>${name}</code></th>
<td class="meter"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="100" height="8" class="track"/><rect width="${
    share(full, most)
  }" height="8" class="pale"/><rect width="${share(sent, most)}" height="8" class="ok"/></svg></td>
<td class="number">${countText(sent)}</td><td class="number">${countText(full)}</td><td class="number">${
    percentText(full - sent, full)
  }</td></tr>`;
}

function share(value: number, most: number): number {
  return Math.round((value / most) * 1_000) / 10;
}

function commandsLine(commands: readonly TeUsage[], range: string): Markup {
  const written = commands.reduce((sum, { inputBytes }) => sum + inputBytes, 0);
  const shown = commands.reduce((sum, { outputBytes }) => sum + outputBytes, 0);
  if (written === 0) return markup``;
  return markup`<p class="muted foot">Commands through the Tool Envelope, last ${range}: ${
    humanSize(written)
  } written, ${humanSize(shown)} shown.</p>`;
}
