// Opens the page: asks for the token where there is no login yet, then keeps what is shown up to date.
import { listen } from "./actions.js";
import { dropKey, findKey, onKey, post, takeKey } from "./key.js";
import { showHtml } from "./morph.js";
import { openStream } from "./stream.js";

const { body } = document, ownTitle = document.title;
const form = document.getElementById("login"), field = document.getElementById("token");
const problem = document.getElementById("problem");

function enter() {
  body.className = "entered";
  const query = new URLSearchParams(location.search);
  query.set("page", body.dataset.page);
  openStream(query, { onPart: showPart, onState: showLink, onOver: leave });
}

/** What was shown must not stay when the login is over. */
function leave() {
  dropKey();
  location.reload();
}

function askForToken() {
  body.className = "asking";
  form.hidden = false;
  document.title = "Log in · llmc-mcp";
  field.focus();
  onKey(() => location.reload());
}

async function logIn(button) {
  button.disabled = true;
  problem.textContent = "";
  try {
    const answer = await post("/ui/login", { token: field.value });
    const { key, message } = await answer.json();
    if (key === undefined) return refuse(message);
    takeKey(key);
    location.reload(); // as any page begins: the focus at its start
  } catch {
    refuse("The server did not answer.");
  } finally {
    button.disabled = false;
  }
}

function refuse(message) {
  problem.textContent = message;
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", "problem");
  field.select();
}

function showPart({ id, content }) {
  const part = document.getElementById(id);
  if (!part?.hasAttribute("data-part")) return;
  showHtml(part, content);
  const waiting = document.querySelectorAll(".question").length;
  document.title = waiting > 0 ? `(${waiting}) ${ownTitle}` : ownTitle;
  const note = document.getElementById("details-note");
  const text = waiting > 0 ? "A call waits for your consent: close this to answer." : "";
  if (note.textContent !== text) note.textContent = text;
}

function showLink(text, state) {
  const link = document.getElementById("link");
  if (link.textContent !== text) link.textContent = text;
  link.className = `link ${state}`;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void logIn(event.submitter ?? form.querySelector("button"));
});
document.getElementById("logout")?.addEventListener("click", async () => {
  await post("/ui/logout", {}).catch(() => {});
  leave();
});
listen(leave);
if ("open" in body.dataset || await findKey()) enter();
else askForToken();
