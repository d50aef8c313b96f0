/**
 * Approvals: which calls wait for a person's consent, and one-time codes where the client cannot ask. A code is shown
 * to the person alone (terminal, operator's page), belongs to one call with exactly its arguments, and works once. A
 * model learns it only from the person.
 * @module
 */
import { unlessAborted, within } from "../core/time.ts";
import type { Settings } from "../config/schema.ts";
import { OpsError } from "../core/error.ts";
import { isCodeOf, newCode, type PendingApproval, questionText } from "./approval_question.ts";
import { argumentsText } from "./arguments_text.ts";
import { digestOf } from "./call_digest.ts";
import type { Effect, SessionContext, Tool } from "./tool.ts";

/** A call that needs consent. */
export interface ApprovalRequest {
  readonly tool: Tool;
  readonly args: object;
  /** The code that came with the call. */
  readonly confirm: string | undefined;
  readonly owner: string;
  readonly session: SessionContext;
  readonly signal: AbortSignal;
}

/** Keeps the questions that are open. */
export interface Approvals {
  /** Whether the configuration wants a person to be asked before this tool runs. */
  wants(tool: Tool): boolean;
  /**
   * Returns when the call may go on.
   * @throws OpsError APPROVAL_REQUIRED until the person has answered, APPROVAL_DECLINED
   */
  check(request: ApprovalRequest): Promise<void>;
  /** Open questions, oldest first. */
  pending(): readonly PendingApproval[];
  /** The person allows a call, for which they repeat its code. */
  allow(id: string, code: string): "allowed" | "wrong code" | "closed";
  /** The person denies a call; false when the question no longer exists. */
  deny(id: string): boolean;
  /** Calls back when the open questions change. While a page is open, calls wait for the answer. Returns how to stop. */
  watch(listener: () => void): () => void;
}

/** What keeping them needs. */
export interface ApprovalsDeps {
  readonly settings: () => Settings;
  /** By any name of a tool. */
  readonly find: (name: string) => Tool | undefined;
  /** Shows a line to the person at the terminal; null when there is no terminal. */
  readonly show: ((line: string) => void) | null;
  /** Whether there is a page on which the person could answer. */
  readonly hasPage: boolean;
  readonly now: () => number;
}

interface Question extends PendingApproval {
  readonly owner: string;
  readonly digest: string;
  wrongCodes: number;
  answer: "allowed" | "declined" | null;
  readonly answered: PromiseWithResolvers<void>;
}

const VALID_MS = 10 * 60_000;
/** Clients cut a call at 60 s. */
const WAIT_MS = 40_000;
const MAX_WRONG_CODES = 3;
const MAX_OF_OWNER = 64, MAX_OPEN = 256;

/** From the weakest: asking to be asked about one effect is asking about all behind it, which can do the same and more. */
const EFFECTS: readonly Effect[] = ["read", "write", "destroy", "execute"];

/** Makes the keeper. */
export function makeApprovals(deps: ApprovalsDeps): Approvals {
  const questions = new Map<string, Question>();
  const watchers = new Set<() => void>();
  const changed = () => watchers.forEach((listener) => listener());

  /** @returns whether it was open until now */
  const close = (question: Question): boolean => {
    const wasOpen = questions.delete(question.id);
    question.answered.resolve();
    if (wasOpen) changed();
    return wasOpen;
  };

  function dropOld(owner: string): void {
    for (const question of questions.values()) if (question.expiresMs <= deps.now()) close(question);
    const own = [...questions.values()].filter((question) => question.owner === owner);
    if (own.length >= MAX_OF_OWNER && own[0]) close(own[0]);
    const [oldest] = questions.values();
    if (questions.size >= MAX_OPEN && oldest) close(oldest);
  }

  function open({ tool, args, owner, session }: ApprovalRequest, digest: string): Question {
    const argsText = argumentsText(args);
    if (argsText === null) throw declined(`the arguments of ${tool.name} are too long to be shown whole`, SPLIT);
    dropOld(owner);
    const askedMs = deps.now(), isNamed = session.agentId !== deps.settings().session.default_agent_id;
    const question: Question = {
      id: crypto.randomUUID(),
      code: newCode(),
      tool: tool.name,
      effect: tool.effect,
      argsText,
      client: isNamed ? session.agentId : null,
      askedMs,
      expiresMs: askedMs + VALID_MS,
      owner,
      digest,
      wrongCodes: 0,
      answer: null,
      answered: Promise.withResolvers<void>(),
    };
    questions.set(question.id, question);
    deps.show?.(questionText(question));
    changed();
    return question;
  }

  const find = (owner: string, digest: string) =>
    [...questions.values()].find((each) =>
      each.owner === owner && each.digest === digest && each.expiresMs > deps.now()
    );

  /** Whether the question is settled so that the call may go on. @throws OpsError APPROVAL_DECLINED */
  function isAllowed(question: Question, confirm: string | undefined): boolean {
    const { answer, tool } = question;
    const isFirst = answer !== null && close(question); // consent is for one call; equal ones may wait for it too
    if (answer === "declined") throw declined(`the person declined ${tool}`);
    if (answer === "allowed") return isFirst;
    if (confirm === undefined) return false;
    if (isCodeOf(question, confirm)) {
      close(question);
      return true;
    }
    if (++question.wrongCodes < MAX_WRONG_CODES) return false;
    close(question);
    throw declined(`${MAX_WRONG_CODES} wrong codes were given for ${tool}`);
  }

  const isOpen = (question: Question | undefined): question is Question =>
    question !== undefined && question.answer === null && question.expiresMs > deps.now();

  function answer(question: Question, given: "allowed" | "declined"): void {
    question.answer = given;
    question.answered.resolve();
    changed();
  }

  return {
    wants(tool) {
      const isWanted = (entry: string) => {
        const level = EFFECTS.findIndex((effect) => effect === entry);
        return level < 0 ? deps.find(entry) === tool : EFFECTS.indexOf(tool.effect) >= level;
      };
      return deps.settings().approvals.require.some(isWanted);
    },
    async check(request) {
      const { tool, confirm, owner, signal } = request;
      if (deps.show === null && !deps.hasPage) {
        throw declined(`${tool.name} needs a person's approval, and no one can be asked`, HOW_TO_BE_ASKED);
      }
      const digest = await digestOf(tool.name, request.args);
      const known = find(owner, digest);
      const question = known ?? open(request, digest);
      if (isAllowed(question, known ? confirm : undefined)) return;
      if (watchers.size > 0 && confirm === undefined) {
        await within(unlessAborted(question.answered.promise, signal), WAIT_MS, undefined);
        if (isAllowed(question, undefined)) return;
      }
      throw confirm === undefined ? required(tool.name) : required(tool.name, known ? "the code is wrong" : NO_CODE);
    },
    pending: () => [...questions.values()].filter(isOpen),
    allow(id, code) {
      const question = questions.get(id);
      if (!isOpen(question)) return "closed";
      if (!isCodeOf(question, code)) return "wrong code";
      answer(question, "allowed");
      return "allowed";
    },
    deny(id) {
      const question = questions.get(id);
      if (!isOpen(question)) return false;
      answer(question, "declined");
      return true;
    },
    watch(listener) {
      watchers.add(listener);
      return () => void watchers.delete(listener);
    },
  };
}

const HOW_TO_BE_ASKED =
  "Use a client that can ask its user (elicitation), or serve over HTTP, where the terminal and the page /ui ask.";
const SPLIT = "Split the call into smaller ones.";
const NO_CODE = "the code does not belong to a call with these arguments";

function declined(message: string, hint?: string): OpsError {
  return new OpsError("APPROVAL_DECLINED", message, hint);
}

function required(tool: string, problem = "a person must allow this call"): OpsError {
  return new OpsError("APPROVAL_REQUIRED", `${tool}: ${problem}`);
}
