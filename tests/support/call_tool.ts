/** One tool call over REST, as a program makes it. @module */
import type { HttpServer } from "./binary.ts";

/** The answer's body: the tool's result, or `{code, detail_code, message, hint}`. */
export async function callTool(
  { url, token }: Pick<HttpServer, "url" | "token">,
  name: string,
  args: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
  signal: AbortSignal | null = null,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/tool`, {
    method: "POST",
    signal,
    headers: { "X-LLMC-Token": token, "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ session_id: "test", name, args }),
  });
  const body: unknown = await response.json();
  const { data, ...rest } = Object(body);
  return { ...rest, ...Object(data) };
}
