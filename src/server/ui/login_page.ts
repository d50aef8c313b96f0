/** Login form. @module */
import { documentOf, LOGO } from "./layout.ts";
import { type Markup, markup } from "./markup.ts";

/** Renders it. `page`: where the login leads. `problem`: why the last attempt did not lead anywhere. */
export function loginPage(page: string, problem: string): Markup {
  const described = problem === "" ? markup`` : markup` aria-invalid="true" aria-describedby="problem"`;
  return documentOf(
    "Log in · llmc-mcp",
    markup`<body class="login"><main><form method="post" action="/ui/login" class="panel">
<h1>${LOGO}llmc-mcp</h1>
<p>What the agent does on this machine. The token is the one that the server was started with.</p>
${problem === "" ? "" : markup`<p id="problem" class="problem" role="alert">${problem}</p>`}
<label for="token">Token</label>
<input id="token" name="token" type="password" required autocomplete="current-password" autofocus spellcheck="false" maxlength="1024"${described}>
<input type="hidden" name="page" value="${page}">
<button class="good">Log in</button></form></main></body>`,
  );
}
