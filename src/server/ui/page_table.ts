/** The pages: their paths, titles and parts. @module */
import { DOCS_AFTER_LOGIN } from "./cookie.ts";
import type { Part } from "./part.ts";
import { approvalsPart } from "./parts/approvals.ts";
import { callsPart } from "./parts/calls.ts";
import { configurationPart } from "./parts/configuration.ts";
import { errorsPart } from "./parts/errors.ts";
import { handlesPart } from "./parts/handles.ts";
import { indexPart } from "./parts/index_state.ts";
import { latencyPart } from "./parts/latency.ts";
import { processesPart } from "./parts/processes.ts";
import { sandboxPart } from "./parts/sandbox.ts";
import { tilesPart } from "./parts/tiles.ts";
import { timelinePart } from "./parts/timeline.ts";
import { tokensPart } from "./parts/tokens.ts";

/** One page. Consent is asked on every one. */
export interface UiPage {
  readonly path: string;
  readonly title: string;
  readonly parts: readonly Part[];
}

/** A key of {@link PAGES}. */
export type PageName = "activity" | "storage" | "sandbox" | "configuration";

/** In the order of the navigation. */
export const PAGES: Readonly<Record<PageName, UiPage>> = {
  activity: {
    path: "/ui",
    title: "Activity",
    parts: [
      approvalsPart,
      tilesPart,
      timelinePart,
      latencyPart,
      callsPart,
      processesPart,
      tokensPart,
      errorsPart,
    ],
  },
  storage: { path: "/ui/storage", title: "Storage", parts: [approvalsPart, handlesPart, indexPart] },
  sandbox: { path: "/ui/sandbox", title: "Sandbox", parts: [approvalsPart, sandboxPart] },
  configuration: { path: "/ui/config", title: "Configuration", parts: [approvalsPart, configurationPart] },
};

/** The page of a name that a browser sent; the first when there is none of that name. */
export function pageNamed(name: string | undefined): PageName {
  return PAGE_NAMES.find((each) => each === name) ?? "activity";
}

/** Where a login leads: to the page it was asked for on, which may be the documents. */
export function pathAfterLogin(name: string | undefined): string {
  return name === "docs" ? DOCS_AFTER_LOGIN : PAGES[pageNamed(name)].path;
}

/** All of them. */
export const PAGE_NAMES: readonly PageName[] = ["activity", "storage", "sandbox", "configuration"];
