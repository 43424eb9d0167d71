import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Coordination } from "../../ports/nodes/coordination.ts";
import { DomainError, SignalboxError } from "../errors/errors.ts";
import { createIntake } from "./intake.ts";
import { type Message, readMessage, VERSION_OF_MESSAGES } from "./messages.ts";
import type { Nodes } from "./nodes.ts";
import { createSlots } from "./slots.ts";

/** Questions to other nodes. They change no record: work that must survive a crash is queued. */
export interface Bus {
  /**
   * Asks the node of a server. Rejects with the refusal of that node, or with (`server`, "unavailable") when it does not answer
   * within `timeoutMs`, default two seconds; never retries.
   */
  ask(question: Question): Promise<unknown>;
  /** Registers this node's answers to questions of one kind. The asking node has checked the caller. */
  answer(kind: string, handler: (body: unknown) => Promise<unknown>): Disposable;
  begin(): Promise<void>;
  end(): void;
}

export interface Question {
  readonly node: string;
  readonly kind: string;
  readonly body: unknown;
  /** The server that the question is about. */
  readonly server: string;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 2000;
/** Characters. */
const MAX_QUESTION = 65_536;
const MAX_ANSWER = 1_048_576;
const MAX_TO_A_NODE = 256;
const MAX_WAITING = 1000;
const HANDLERS_AT_ONCE = 64;

interface Waiting {
  readonly node: string;
  readonly timer: Disposable;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Deps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly nodes: Pick<Nodes, "find" | "isHeard" | "nowMs">;
  readonly storage: { readonly coordination: Pick<Coordination, "collect" | "nodeId" | "post" | "shared"> };
}

const unreachable = (server: string): DomainError =>
  new DomainError("server", "unavailable", `Server cannot be reached right now: ${server}`);

export function createBus(deps: Deps): Bus {
  const { clock, log, nodes } = deps;
  const { coordination } = deps.storage;
  const { nodeId, shared } = coordination;
  const handlers = new Map<string, (body: unknown) => Promise<unknown>>();
  const intake = createIntake((id) => nodes.find(id) !== undefined);
  const send = createSender(coordination);
  const questions = createQuestions(deps, send);
  const respond = createResponder({ deps, handlers, send });
  let letters: Disposable | undefined;

  const receive = (text: string): void => {
    const message = readMessage(text);
    // Only messages of live nodes are accepted.
    if (!message || message.f === nodeId || !nodes.find(message.f)) return;
    if (!intake.takes(message, clock.monotonicMs())) return;
    if (message.t === "answer") questions.answered(message);
    else if (message.t === "ask") respond(message);
  };
  return {
    ask: questions.ask,
    answer(kind, handler) {
      handlers.set(kind, handler);
      return { [Symbol.dispose]: () => void handlers.delete(kind) };
    },
    async begin() {
      if (shared) letters = await coordination.collect(nodeId, receive);
    },
    end() {
      letters?.[Symbol.dispose]();
      questions.end();
      if (intake.dropped() > 0) log.warn({ dropped: intake.dropped() }, "Messages of other nodes were dropped");
    },
  };
}

type Send = (
  to: string,
  message: Pick<Message, "t"> & Partial<Message>,
) => { readonly s: number; readonly sent: Promise<void> };

function createSender({ nodeId, post }: Pick<Coordination, "nodeId" | "post">): Send {
  let last = 0;
  return (to, message) => {
    last += 1;
    const s = last;
    return { s, sent: post(to, JSON.stringify({ v: VERSION_OF_MESSAGES, s, f: nodeId, ...message })) };
  };
}

function createQuestions({ clock, nodes }: Deps, send: Send) {
  const waiting = new Map<number, Waiting>();
  const settle = (s: number): Waiting | undefined => {
    const one = waiting.get(s);
    one?.timer[Symbol.dispose]();
    waiting.delete(s);
    return one;
  };
  const isFull = (node: string): boolean =>
    waiting.size >= MAX_WAITING || [...waiting.values()].filter((one) => one.node === node).length >= MAX_TO_A_NODE;
  return {
    ask({ node, kind, body, server, timeoutMs = TIMEOUT_MS }: Question): Promise<unknown> {
      if (!nodes.find(node) || isFull(node)) return Promise.reject(unreachable(server));
      if (JSON.stringify(body).length > MAX_QUESTION) return Promise.reject(new TypeError("The question is too long"));
      return new Promise((resolve, reject) => {
        const { s, sent } = send(node, { t: "ask", k: kind, d: nodes.nowMs() + timeoutMs, b: body });
        const fail = (): void => settle(s)?.reject(unreachable(server));
        waiting.set(s, { node, timer: clock.after(timeoutMs, fail), resolve, reject });
        sent.catch(fail);
      });
    },
    answered({ f, r, b }: Message): void {
      const one = waiting.get(Number(r));
      if (one?.node !== f) return;
      settle(Number(r));
      const { ok, code, reason, description } = b as Readonly<Record<string, unknown>>;
      if (code === undefined) one.resolve(ok);
      else one.reject(refusalOf({ code, reason, description }));
    },
    end(): void {
      for (const s of [...waiting.keys()]) settle(s)?.reject(new Error("The engine stops"));
    },
  };
}

const REASONS = ["unknown", "conflict", "malformed", "denied", "failed", "unavailable"] as const;

/** Rebuilds a refusal of another node; only code, reason and description are transmitted. */
function refusalOf({ code, reason, description }: Readonly<Record<string, unknown>>): SignalboxError {
  const known = REASONS.find((one) => one === reason);
  const text = String(description ?? "");
  return known ? new DomainError(String(code), known, text) : new SignalboxError(String(code), text);
}

interface Responder {
  readonly deps: Deps;
  readonly handlers: ReadonlyMap<string, (body: unknown) => Promise<unknown>>;
  readonly send: Send;
}

function createResponder({ deps: { log, nodes }, handlers, send }: Responder): (question: Message) => void {
  const slots = createSlots(HANDLERS_AT_ONCE, MAX_WAITING);
  const answerOf = async ({ k = "", b }: Message): Promise<unknown> => {
    const handler = handlers.get(k);
    if (!handler) return { code: "unknown", description: `Unknown question: ${k}` };
    try {
      return { ok: await handler(b) };
    } catch (error) {
      if (error instanceof DomainError)
        return { code: error.code, reason: error.reason, description: error.description };
      if (error instanceof SignalboxError) return { code: error.code, description: error.description };
      log.error({ kind: k, error }, "A question of another node could not be answered");
      return { code: "internal", description: "Internal server error" };
    }
  };
  // A node that was stopped, or that may count as dead, must not act late.
  const isLate = ({ d = 0 }: Message): boolean => nodes.nowMs() > d || !nodes.isHeard();
  return (question) =>
    slots.run(async () => {
      if (isLate(question)) return;
      const answer = await answerOf(question);
      if (isLate(question)) return;
      const isShort = JSON.stringify(answer).length <= MAX_ANSWER;
      const b = isShort ? answer : { code: "server", reason: "failed", description: "The answer is too long." };
      await send(question.f, { t: "answer", r: question.s, b }).sent.catch((error: unknown) =>
        log.warn({ error }, "Another node could not be answered"),
      );
    });
}
