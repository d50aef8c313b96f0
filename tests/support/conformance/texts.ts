/** Resources and prompts that the conformance suite requests by name. @module */
import {
  acceptedContent,
  completable,
  inputRequired,
  type McpServer,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { PNG } from "./tools.ts";

/** Adds the resources. */
export function addResources(server: McpServer): void {
  const add = (name: string, content: { mimeType: string; text: string } | { mimeType: string; blob: string }) => {
    const uri = `test://${name}`;
    const about = { description: `The resource ${name}`, mimeType: content.mimeType };
    server.registerResource(name, uri, about, () => ({ contents: [{ uri, ...content }] }));
  };
  add("static-text", { mimeType: "text/plain", text: "This is the content of the static text resource." });
  add("static-binary", { mimeType: "image/png", blob: PNG });
  add("watched-resource", { mimeType: "text/plain", text: "Watched." });
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  const about = { description: "Data by its id", mimeType: "application/json" };
  server.registerResource("template", template, about, (uri, { id }) => {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { contents: [{ uri: uri.href, mimeType: "application/json", text: JSON.stringify(data) }] };
  });
  server.server.setRequestHandler("resources/subscribe", () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", () => ({}));
}

/** Adds the prompts. */
export function addPrompts(server: McpServer): void {
  const say = (text: string) => ({ role: "user" as const, content: { type: "text" as const, text } });
  server.registerPrompt("test_simple_prompt", { description: "One text" }, () => ({
    messages: [say("This is a simple prompt for testing.")],
  }));
  server.registerPrompt("test_prompt_with_arguments", {
    description: "Repeats its arguments",
    argsSchema: z.object({
      arg1: completable(z.string(), (value) => ["paris", "park", "party"].filter((word) => word.startsWith(value))),
      arg2: z.string(),
    }),
  }, ({ arg1, arg2 }) => ({ messages: [say(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }));
  server.registerPrompt("test_prompt_with_embedded_resource", {
    description: "Embeds a resource",
    argsSchema: z.object({ resourceUri: z.string() }),
  }, ({ resourceUri: uri }) => {
    const resource = { uri, mimeType: "text/plain", text: "Embedded resource content for testing." };
    return {
      messages: [
        { role: "user", content: { type: "resource", resource } },
        say("Please process the embedded resource above."),
      ],
    };
  });
  server.registerPrompt("test_prompt_with_image", { description: "Shows an image" }, () => ({
    messages: [
      { role: "user", content: { type: "image", data: PNG, mimeType: "image/png" } },
      say("Please analyze the image above."),
    ],
  }));
  const contextForm = z.object({ context: z.string() });
  server.registerPrompt("test_input_required_result_prompt", { description: "Asks for context" }, ({ mcpReq }) => {
    const answer = acceptedContent(mcpReq.inputResponses, "user_context", contextForm);
    if (answer) return { messages: [say(`With this context: ${answer.context}`)] };
    const message = "What context should the prompt use?";
    const user_context = inputRequired.elicit({ message, requestedSchema: contextForm });
    return inputRequired({ inputRequests: { user_context } });
  });
}
