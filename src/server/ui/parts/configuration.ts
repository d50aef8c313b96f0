/** The effective configuration, and where each value came from. @module */
import { visible } from "../../../core/visible.ts";
import { type ConfigRow, configRows } from "../../../config/describe.ts";
import { environmentName } from "../../../config/keys.ts";
import { isLive } from "../../../config/reload.ts";
import { facts } from "../facts.ts";
import { type Markup, markup, type Piece } from "../markup.ts";
import type { Moment } from "../moment.ts";
import { panel, type Part } from "../part.ts";

/** Every key by section; what differs from its default stands out, and a switch leaves only that. */
export const configurationPart: Part = {
  id: "configuration",
  className: "wide",
  render(moment) {
    const { config } = moment;
    const rows = configRows(config);
    const changed = rows.filter(({ origin }) => origin !== "default").length;
    const sections = Map.groupBy(rows, ({ key }) => key.slice(0, key.lastIndexOf(".")));
    const aside =
      markup`<label class="check"><input type="checkbox" id="changed-only"> only the ${changed} that differ from their defaults</label>`;
    return panel("Configuration", [
      files(moment),
      [...sections].map(([name, block]) => section(name, block)),
    ], aside);
  },
};

const ORIGINS: Readonly<Record<ConfigRow["origin"], string>> = {
  default: "default",
  toml: "file",
  env: "environment",
  cli: "command line",
};

function files({ config: { configFile, projectFile, dataDir, warnings } }: Moment): Markup {
  return facts([
    ["File", [
      configFile === null ? "none: built-in defaults" : markup`<code>${visible(configFile)}</code>`,
      projectFile !== null && markup`, narrowed by <code>${visible(projectFile)}</code>`,
    ]],
    ["Data directory", markup`<code>${visible(dataDir)}</code>`],
    ...warnings.map((warning) => ["Warning", visible(warning)] as const),
  ]);
}

function section(name: string, rows: readonly ConfigRow[]): Markup {
  const isChanged = rows.some(({ origin }) => origin !== "default");
  return markup`<div class="config-section${
    isChanged ? "" : " at-default"
  }"><h3><code>[${name}]</code></h3><div class="scroll" tabindex="0" role="region" aria-label="Section ${name}"><table role="table" class="config"><colgroup><col class="key"><col><col class="from"><col class="when"></colgroup><thead role="rowgroup" class="unseen"><tr role="row">${COLUMNS}</tr></thead><tbody role="rowgroup">${
    rows.map(row)
  }</tbody></table></div></div>`;
}

const COLUMNS = ["Key", "Value", "From", "A change takes effect"].map((name) =>
  markup`<th role="columnheader" scope="col">${name}</th>`
);

function row({ key, value, origin }: ConfigRow): Markup {
  const isDefault = origin === "default";
  return markup`<tr role="row" class="${isDefault ? "at-default" : "changed"}"><th role="rowheader" scope="row"><code>${
    key.slice(key.lastIndexOf(".") + 1)
  }</code></th><td role="cell"><code>${
    visible(valueText(value))
  }</code></td><td role="cell"><span class="origin ${origin}">${ORIGINS[origin]}</span>${
    origin === "env" ? markup`<br><code class="muted">${breakable(environmentName(key.split(".")))}</code>` : ""
  }</td><td role="cell" class="muted">${isLive(key) ? "at once" : "at a restart"}</td></tr>`;
}

/** A long name may go on in the next line, but not anywhere. */
function breakable(name: string): Piece {
  return name.split("__").map((word, index) => index === 0 ? word : [markup`__<wbr>`, word]);
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : value.map((each) => String(each)).join(", ");
  return typeof value === "string" && value !== "" ? value : JSON.stringify(value);
}
