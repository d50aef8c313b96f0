/** Frame of every page: head, navigation, the action form, and the message area. @module */
import { VERSION } from "../../core/version.ts";
import { type Markup, markup, type Piece } from "./markup.ts";
import type { Moment } from "./moment.ts";
import { levelBadge } from "./parts/sandbox.ts";
import { type PageName, PAGES } from "./page_table.ts";

/** What a frame is put around. */
export interface Framed {
  readonly page: PageName;
  readonly body: Piece;
  readonly moment: Moment;
  /** Of the login; null for who may only look. */
  readonly csrf: string | null;
  /** What to say at the top, after something was done. */
  readonly said: string;
  /** Query of the stream that keeps this page up to date. */
  readonly stream: string;
}

/** The whole page. */
export function layout({ page, body, moment, csrf, said, stream }: Framed): Markup {
  return documentOf(
    `${PAGES[page].title} · llmc-mcp`,
    markup`<body data-stream="/ui/live?${stream}">
<a class="skip" href="#main">Skip to the content</a>
<header class="bar"><a class="brand" href="/ui">${LOGO}<span>llmc-mcp</span></a>
<nav aria-label="Pages">${
      Object.entries(PAGES).map(([name, { path, title }]) =>
        markup`<a href="${path}"${name === page ? markup` aria-current="page"` : ""}>${title}</a>`
      )
    }</nav>
<div class="state"><span id="link" class="link" role="status">as of the load</span>${levelBadge(moment.report())}${
      csrf === null
        ? LOOKER
        : markup`<form method="post" action="/ui/logout"><input type="hidden" name="csrf" value="${csrf}"><button class="quiet">Log out</button></form>`
    }</div></header>
<main id="main" tabindex="-1"><h1 class="unseen">${PAGES[page].title}</h1>
<p id="said" class="said" role="status" aria-live="polite">${said}</p>
${
      csrf === null
        ? ""
        : markup`<form id="act" method="post" action="/ui/act"><input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="page" value="${page}"></form>`
    }
<div class="grid">${body}</div></main>
<footer><span>llmc-mcp ${VERSION}</span><span>Times are those of the machine.</span></footer></body>`,
  );
}

const LOOKER =
  markup`<span class="badge plain" title="without a token nobody can prove to be the operator">looking only</span>`;

/** Anything of ours in a document. */
export function documentOf(title: string, body: Markup): Markup {
  return markup`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title}</title>
<link rel="icon" href="/ui/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/ui/style.css">
<script src="/ui/app.js" defer></script></head>${body}</html>`;
}

/** A prompt, as on the icon. */
export const LOGO =
  markup`<svg class="logo" viewBox="0 0 16 16" aria-hidden="true"><rect width="16" height="16" rx="4"/><path d="M4.5 5l3 3-3 3M9 11h3.5"/></svg>`;
