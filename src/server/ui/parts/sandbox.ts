/** Shows how far the kernel enforces the configuration. @module */
import { networkOf } from "../../../config/network.ts";
import { NETWORK_WORDS } from "../../../core/network_list.ts";
import { visible } from "../../../core/visible.ts";
import type { Level, SandboxReport } from "../../../sandbox/protocol.ts";
import { facts } from "../facts.ts";
import { type Markup, markup, type Piece } from "../markup.ts";
import type { Moment } from "../moment.ts";
import { panel, type Part } from "../part.ts";
import { levelBadge } from "./level.ts";
import { type Hold, holdAt, LEVELS, PROTECTIONS } from "./protection.ts";

/** The level of now, why it is not higher, and the whole ladder beside it. */
export const sandboxPart: Part = {
  id: "sandbox",
  className: "wide",
  render(moment) {
    const report = moment.report();
    return markup`${
      panel(`Level: ${report.level}`, [summary(moment, report), settings(moment, report)], levelBadge(report))
    }
${panel("What each level holds", ladder(report.level, moment.config.settings.tools.confinement))}`;
  },
};

function summary({ config }: Moment, { level, advice, unconfined, root }: SandboxReport): Markup {
  const { confinement } = config.settings.tools;
  const notes: string[] = [];
  if (unconfined) notes.push("The roots are the whole machine, so nothing is confined to a folder.");
  if (confinement === "off") notes.push("mcp.tools.confinement is off: programs are not confined at all.");
  if (confinement === "best_effort" && level === "none") notes.push("Programs run without confinement (best_effort).");
  if (root) notes.push("The server runs as root: file permissions do not limit it.");
  return markup`<p>${SENTENCES[level]}</p>${notes.map((note) => markup`<p class="note-bad">${note}</p>`)}${
    advice === "" ? "" : markup`<p>What would raise it: <code>${advice}</code></p>`
  }`;
}

const SENTENCES: Readonly<Record<Level, string>> = {
  full:
    "The kernel enforces the roots for the server (Landlock), and programs run in namespaces of their own (bubblewrap).",
  landlock:
    "The kernel enforces the roots for the server and for programs (Landlock). Programs have no namespaces of their own.",
  bwrap:
    "Programs run in namespaces of their own (bubblewrap). For the server's own file tools paths are checked, which can lose a race.",
  none:
    "The kernel enforces nothing here. Paths are checked, and programs that could run code are refused unless the configuration lets them.",
};

function settings({ config }: Moment, { landlockAbi, bubblewrap }: SandboxReport): Markup {
  const { tools } = config.settings;
  const rows: [string, Piece][] = [
    ["Roots", config.roots.length > 0 ? config.roots.map((root) => markup`<code>${visible(root)}</code> `) : "none"],
    ["Landlock", landlockAbi > 0 ? `ABI ${landlockAbi}` : "not available"],
    ["bubblewrap", bubblewrap.works ? bubblewrap.version : bubblewrap.reason],
    ["Confinement", tools.confinement],
    ["Network of programs", NETWORK_WORDS[networkOf(tools)]],
    ["Programs", `${Object.keys(config.binaries).length} allowed; the list binds ${SCOPES[tools.allowlist_scope]}`],
    ["Closed inside the roots", config.protectedPaths.length === 0 ? "nothing" : pathList(config.protectedPaths)],
  ];
  return facts(rows);
}

const SCOPES = { command: "what is started", tree: "what is started and everything that it starts" } as const;
const MAX_PATHS = 20;

function pathList(paths: readonly string[]): Piece {
  const more = paths.length > MAX_PATHS ? `and ${paths.length - MAX_PATHS} more` : "";
  return [...paths.slice(0, MAX_PATHS).map((path) => markup`<code>${visible(path)}</code> `), more];
}

function ladder(current: Level, confinement: Confinement): Markup {
  const mark = (level: Level) => level === current ? "current" : "";
  const headings = LEVELS.map(({ level, needs }) =>
    markup`<th role="columnheader" scope="col" class="${mark(level)}">${level}${
      level === current ? markup` <span class="badge run">now</span>` : ""
    }<br><span class="muted">${needs}</span></th>`
  );
  const rows = PROTECTIONS.map((each) =>
    markup`<tr role="row"><th role="rowheader" scope="row">${each.what}</th>${
      LEVELS.map(({ level }) =>
        markup`<td role="cell" class="${mark(level)}" data-name="${level}">${
          holdMark(holdAt(each, level, confinement))
        }</td>`
      )
    }</tr>`
  );
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="What each level holds"><table role="table" class="ladder"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col"><span class="unseen">What should hold</span></th>${headings}</tr></thead>
<tbody role="rowgroup">${rows}</tbody></table></div>`;
}

type Confinement = Moment["config"]["settings"]["tools"]["confinement"];

function holdMark(hold: Hold): Markup {
  if (hold === "yes") return markup`<span class="hold good">holds</span>`;
  if (hold === "no") return markup`<span class="hold bad">does not</span>`;
  return markup`<span class="hold warn">${hold.partly}</span>`;
}
