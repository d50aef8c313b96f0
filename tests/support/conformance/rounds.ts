/** Tools of the conformance suite that need several rounds: the client asks its user, and calls again. @module */
import { acceptedContent, inputRequired, type McpServer, type RequestStateCodec } from "@modelcontextprotocol/server";
import * as z from "zod";
import { text } from "./tools.ts";

const nameForm = z.object({ name: z.string() });
const okForm = z.object({ ok: z.boolean() });
const colorForm = z.object({ color: z.string() });

const askName = (message: string) => inputRequired.elicit({ message, requestedSchema: nameForm });
const ask = (question: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: "user", content: { type: "text", text: question } }], maxTokens });

/** Adds them. */
export function addRounds(server: McpServer, codec: RequestStateCodec<string>): void {
  addSingleQuestions(server);
  addWithState(server, codec);
  addCapabilityTools(server);
}

function addSingleQuestions(server: McpServer): void {
  server.registerTool("test_input_required_result_elicitation", { description: "Asks for a name" }, ({ mcpReq }) => {
    const answer = acceptedContent(mcpReq.inputResponses, "user_name", nameForm);
    return answer
      ? text(`Hello, ${answer.name}!`)
      : inputRequired({ inputRequests: { user_name: askName("What is your name?") } });
  });
  server.registerTool("test_input_required_result_sampling", { description: "Asks a model" }, ({ mcpReq }) => {
    const answer = mcpReq.inputResponses?.capital_question;
    return answer
      ? text(JSON.stringify(answer))
      : inputRequired({ inputRequests: { capital_question: ask("What is the capital of France?", 100) } });
  });
  server.registerTool("test_input_required_result_list_roots", { description: "Asks for roots" }, ({ mcpReq }) => {
    const answer = mcpReq.inputResponses?.client_roots;
    return answer
      ? text(JSON.stringify(answer))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
}

function addWithState(server: McpServer, codec: RequestStateCodec<string>): void {
  const confirm = () => inputRequired.elicit({ message: "Please confirm", requestedSchema: okForm });
  for (const name of ["test_input_required_result_request_state", "test_input_required_result_tampered_state"]) {
    server.registerTool(name, { description: "Keeps state over two rounds" }, async ({ mcpReq }) => {
      if (acceptedContent(mcpReq.inputResponses, "confirm", okForm) && mcpReq.requestState() === name) {
        return text("state-ok");
      }
      return inputRequired({ inputRequests: { confirm: confirm() }, requestState: await codec.mint(name) });
    });
  }
  server.registerTool(
    "test_input_required_result_multiple_inputs",
    { description: "Asks three things" },
    async ({ mcpReq }) => {
      const { user_name, greeting, client_roots } = mcpReq.inputResponses ?? {};
      if (user_name && greeting && client_roots && mcpReq.requestState() === "three") {
        return text("all three arrived");
      }
      return inputRequired({
        inputRequests: {
          user_name: askName("What is your name?"),
          greeting: ask("Generate a greeting", 50),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await codec.mint("three"),
      });
    },
  );
  server.registerTool("test_input_required_result_multi_round", { description: "Asks twice" }, async ({ mcpReq }) => {
    const color = acceptedContent(mcpReq.inputResponses, "step2", colorForm);
    const state = mcpReq.requestState<string>() ?? "";
    if (color && state.startsWith("named ")) return text(`${state.slice(6)} likes ${color.color}`);
    const named = acceptedContent(mcpReq.inputResponses, "step1", nameForm);
    if (named && state === "first") {
      const message = "Step 2: What is your favorite color?";
      return inputRequired({
        inputRequests: { step2: inputRequired.elicit({ message, requestedSchema: colorForm }) },
        requestState: await codec.mint(`named ${named.name}`),
      });
    }
    return inputRequired({
      inputRequests: { step1: askName("Step 1: What is your name?") },
      requestState: await codec.mint("first"),
    });
  });
}

function addCapabilityTools(server: McpServer): void {
  server.registerTool("test_input_required_result_capabilities", { description: "Asks what it may" }, ({ mcpReq }) => {
    const { elicitation, sampling } = Object(Object(mcpReq.envelope)["io.modelcontextprotocol/clientCapabilities"]);
    if (mcpReq.inputResponses) return text("answered");
    return inputRequired({
      inputRequests: {
        ...elicitation ? { user_name: askName("What is your name?") } : {},
        ...sampling ? { capital_question: ask("What is the capital of France?", 100) } : {},
      },
    });
  });
  server.registerTool(
    "test_missing_capability",
    { description: "Cannot do without a model" },
    ({ mcpReq }) =>
      mcpReq.inputResponses
        ? text("answered")
        : inputRequired({ inputRequests: { question: ask("Are you there?", 10) } }),
  );
  server.registerTool("test_streaming_elicitation", { description: "Speaks, then asks" }, async ({ mcpReq }) => {
    if (mcpReq.inputResponses) return text("answered");
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken !== undefined) {
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1, total: 2 } });
    }
    return inputRequired({ inputRequests: { user_name: askName("What is your name?") } });
  });
}
