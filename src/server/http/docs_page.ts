/** Renders the OpenAPI description at /docs as static HTML without external resources. @module */
import { html, raw } from "hono/html";
import type { OpenApi, Operation, Schema } from "./openapi.ts";

/** Content-Security-Policy of the page: its own style and nothing else. */
export const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

const CALL = `curl -s ADDRESS/tool -H "Authorization: Bearer TOKEN" -H "Content-Type: application/json" \\
  -d '{"session_id": "me", "name": "linux_fs_list", "args": {"path": "."}}'`;

type Markup = ReturnType<typeof html>;

/** Renders the page. */
export function docsPage(api: OpenApi): string {
  return String(html`
    <!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>${api.info.title}: API</title>
        <style>
        ${raw(STYLE)}
        </style>
      </head>
      <body>
        <header>
          <h1>${api.info.title} <small>${api.info.version}</small></h1>
          <p>${api.info.description}</p>
        </header>
        <main>${docsContent(api)}</main>
      </body>
    </html>
  `);
}

/** What the page says; the operator's page shows the same. */
export function docsContent(api: OpenApi): Markup {
  const routes = Object.entries(api.paths).flatMap(([path, { get, post }]) => [
    ...get ? [routeRow("GET", path, get)] : [],
    ...post ? [routeRow("POST", path, post)] : [],
  ]);
  return html`
    <h2>Calling</h2>
    <p>Every route but those marked open wants the token${tokenHeaders(api)}. A call looks like this:</p>
    <pre>${CALL}</pre>
    <p>
      A failed call answers <code>{"code", "message", "hint", "correlation_id"}</code>; the hint says what to change. After
      a
      <code>429</code>, wait as long as <code>Retry-After</code> says.
    </p>
    <h2>Routes</h2>
    <table>
      <thead>
        <tr>
          <th>Route</th>
          <th>What it does</th>
          <th>Body</th>
        </tr>
      </thead>
      <tbody>${routes}</tbody>
    </table>
    <h2>Tools</h2>
    <nav aria-label="Tools">${api["x-tools"].map(({ name }) =>
      html`
        <a href="#${name}">${name}</a>
      `
    )}</nav>
    ${api["x-tools"].map((tool) => toolSection(api, tool))}
  `;
}

function tokenHeaders({ components }: OpenApi): string {
  return `, as "${components.securitySchemes.token?.name}: TOKEN" or "Authorization: Bearer TOKEN"`;
}

function routeRow(method: string, path: string, { summary, security, requestBody }: Operation): Markup {
  const schema = requestBody?.content["application/json"]?.schema;
  const fields = schema && "properties" in schema ? fieldList(schema) : schema
    ? html`
      one of the calls below
    `
    : "";
  return html`
    <tr>
      <td><code>${method} ${path}</code>${security
        ? html`
          <b>open</b>
        `
        : ""}</td>
      <td>${summary}</td>
      <td>${fields}</td>
    </tr>
  `;
}

function toolSection({ components }: OpenApi, { name, summary, effect }: OpenApi["x-tools"][number]): Markup {
  const args = components.schemas[`${name}_args`] ?? {};
  return html`
    <section id="${name}">
      <h3><code>${name}</code> <b class="${effect}">${effect}</b></h3>
      <p>${summary}</p>
      ${fieldList(args)}
    </section>
  `;
}

function fieldList(schema: Schema): Markup | string {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const fields = Object.entries(asObject(schema.properties));
  if (fields.length === 0) return "no arguments";
  return html`
    <dl>${fields.map(([name, value]) => fieldRow(name, asObject(value), required.has(name)))}</dl>
  `;
}

function fieldRow(name: string, schema: Schema, required: boolean): Markup {
  const given = "default" in schema ? `, default ${JSON.stringify(schema.default)}` : "";
  return html`
    <dt><code>${name}</code> <span>${typeOf(schema)}${required && !given ? ", required" : given}</span></dt>
    <dd>${schema.description ?? ""}</dd>
  `;
}

function typeOf(schema: Schema): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.type === "array") return `list of ${typeOf(asObject(schema.items))}`;
  const range =
    [schema.minimum, schema.maximum].every((bound) => typeof bound === "number" && Math.abs(bound) < 2 ** 53)
      ? ` ${schema.minimum} to ${schema.maximum}`
      : "";
  return `${schema.type ?? "any"}${range}`;
}

function asObject(value: unknown): Schema {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 62rem; padding: 1.5rem; }
h1 small { font-weight: 400; opacity: .6; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { background: var(--soft); padding: .8rem; overflow-x: auto; border-radius: 6px; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .45rem .6rem .45rem 0; border-bottom: 1px solid var(--line); }
td:first-child { white-space: nowrap; }
nav { columns: 14rem; } nav a { display: block; font: 13px/1.7 ui-monospace, monospace; }
section { margin-top: 1.8rem; } section h3 { margin-bottom: .2rem; } section p { margin: .2rem 0; }
b { font-size: 11px; font-weight: 600; padding: .1rem .45rem; border-radius: 9px; background: var(--soft); }
b.destroy, b.execute { background: #d3302f33; } b.write { background: #e0922033; }
dl { margin: .3rem 0; } dt span { opacity: .65; font-size: 13px; } dd { margin: 0 0 .35rem 1.2rem; }
`;
