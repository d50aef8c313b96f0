/** Table of pages: paths, titles and parts. @module */
import type { Part } from "./part.ts";
import { approvalsPart } from "./parts/approvals.ts";
import { callPart } from "./parts/call.ts";
import { allCallsPart, callsPart } from "./parts/calls.ts";
import { configurationPart } from "./parts/configuration.ts";
import { docsPart } from "./parts/docs.ts";
import { errorsPart } from "./parts/errors.ts";
import { handlePart } from "./parts/handle.ts";
import { handlesPart } from "./parts/handles.ts";
import { indexPart } from "./parts/index_state.ts";
import { latencyPart } from "./parts/latency.ts";
import { levelPart } from "./parts/level.ts";
import { processesPart } from "./parts/processes.ts";
import { sandboxPart } from "./parts/sandbox.ts";
import { tilesPart } from "./parts/tiles.ts";
import { timelinePart } from "./parts/timeline.ts";
import { tokensPart } from "./parts/tokens.ts";

/** One page. */
export interface UiPage {
  readonly path: string;
  readonly title: string;
  readonly parts: readonly Part[];
  /** Whether the navigation has it; the others are about one thing, named in their query as `item`. */
  readonly isListed: boolean;
}

/** A key of {@link PAGES}. */
export type PageName = "activity" | "calls" | "storage" | "sandbox" | "configuration" | "docs" | "call" | "handle";

/** Of every page: consent is asked wherever the operator looks. */
export const COMMON_PARTS: readonly Part[] = [levelPart, approvalsPart];

/** In the order of the navigation. */
export const PAGES: Readonly<Record<PageName, UiPage>> = {
  activity: {
    path: "/ui",
    title: "Activity",
    parts: [tilesPart, timelinePart, latencyPart, callsPart, processesPart, tokensPart, errorsPart],
    isListed: true,
  },
  calls: { path: "/ui/calls", title: "Calls", parts: [allCallsPart], isListed: true },
  storage: { path: "/ui/storage", title: "Storage", parts: [handlesPart, indexPart], isListed: true },
  sandbox: { path: "/ui/sandbox", title: "Sandbox", parts: [sandboxPart], isListed: true },
  configuration: { path: "/ui/config", title: "Configuration", parts: [configurationPart], isListed: true },
  docs: { path: "/ui/docs", title: "API", parts: [docsPart], isListed: true },
  call: { path: "/ui/call", title: "Call", parts: [callPart], isListed: false },
  handle: { path: "/ui/handle", title: "Kept result", parts: [handlePart], isListed: false },
};

/** All of them. */
export const PAGE_NAMES: readonly PageName[] = [
  "activity",
  "calls",
  "storage",
  "sandbox",
  "configuration",
  "docs",
  "call",
  "handle",
];

/** The page of a name that a browser sent; the first when there is none of that name. */
export function pageNamed(name: string | undefined): PageName {
  return PAGE_NAMES.find((each) => each === name) ?? "activity";
}
