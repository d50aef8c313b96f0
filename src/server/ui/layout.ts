/** Frame of every page. It is sent before login and holds no data of the machine; the event stream fills it. @module */
import { VERSION } from "../../core/version.ts";
import { type Markup, markup } from "./markup.ts";
import { COMMON_PARTS, type PageName, PAGES } from "./page_table.ts";
import { partElement } from "./part.ts";
import { levelPart } from "./parts/level.ts";

/** The whole page. `isOpen`: the server has no token, so the page is read-only for everyone. */
export function layout(page: PageName, isOpen: boolean): Markup {
  const { title, parts } = PAGES[page];
  const shown = [...COMMON_PARTS.filter((part) => part !== levelPart), ...parts];
  return markup`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title} · llmc-mcp</title>
<link rel="icon" href="/ui/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/ui/style.css">
<script src="/ui/app.js" type="module"></script></head>
<body data-page="${page}"${isOpen ? markup` data-open` : ""}>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar"><a class="brand" href="/ui">${LOGO}<span>llmc-mcp</span></a>
<nav aria-label="Pages" class="inside">${navigation(page)}</nav>
<div class="state inside"><span id="link" class="link" role="status">loading</span><span id="level" data-part></span>${
    isOpen ? LOOKER : markup`<button type="button" id="logout" class="quiet">Log out</button>`
  }</div></header>
<main id="main" tabindex="-1">${LOGIN}<div class="inside"><h1 class="unseen">${title}</h1>
<p id="said" class="said" role="status" aria-live="polite"></p>
<div class="grid">${shown.map(partElement)}</div></div></main>
<dialog id="details" aria-label="Details"><form method="dialog"><button class="quiet" aria-label="Close the details">Close</button><p id="details-note" role="status"></p></form><div id="details-body"></div></dialog>
<footer><span>llmc-mcp ${VERSION}</span><span>Times are those of the machine.</span></footer></body></html>`;
}

function navigation(page: PageName): Markup[] {
  return Object.entries(PAGES).filter(([, { isListed }]) => isListed).map(([name, { path, title }]) =>
    markup`<a href="${path}"${name === page ? markup` aria-current="page"` : ""}>${title}</a>`
  );
}

const LOOKER =
  markup`<span class="badge plain" title="without a token the operator cannot prove who they are">looking only</span>`;

/** A prompt, as on the icon. */
const LOGO =
  markup`<svg class="logo" viewBox="0 0 16 16" aria-hidden="true"><rect width="16" height="16" rx="4"/><path d="M4.5 5l3 3-3 3M9 11h3.5"/></svg>`;

const LOGIN = markup`<div class="outside"><form id="login" class="panel" hidden>
<h1>${LOGO}Log in</h1>
<p>This page shows what agents do on this machine. The token is the one that the server was started with.</p>
<p id="problem" class="problem" role="alert"></p>
<input type="text" autocomplete="username" value="llmc-mcp" hidden>
<label for="token">Token</label>
<input id="token" name="token" type="password" required autocomplete="current-password" spellcheck="false" maxlength="1024">
<button class="good">Log in</button></form>
<noscript><p class="panel">This page needs JavaScript: its script holds the proof of your login, which a cookie cannot do safely.
Without it, <code>llmc-mcp top</code> shows the same in a terminal.</p></noscript></div>`;
