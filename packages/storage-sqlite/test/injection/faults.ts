/** Injected faults, and when they strike. */
import type { DatabaseSync } from "node:sqlite";
import type { AgentLink, AgentTransport, BlobStore, Mailer, WebHookClient } from "@signalbox/core/adapter";

/**
 * "statement": one statement of SQLite fails, which may be a begin, a commit or a rollback. "transaction": SQLite ends
 * the transaction with it, as a full disk does. "blob": one call of the blob store fails. "mail" and "hook": one mail, or
 * one web hook, does not leave. "message": a connection to an agent ends with one message to it.
 */
export type FaultKind = "statement" | "transaction" | "blob" | "mail" | "hook" | "message";

/** "transaction" has no places of its own: the fault strikes at a statement. */
export type Places = Readonly<Record<Exclude<FaultKind, "transaction">, readonly string[]>>;

export interface Injection {
  readonly kind: FaultKind;
  /** Number of the place that fails, from 1 on; 0 = none. */
  readonly at: number;
}

/** Counts the places of each kind from 1, and throws at the chosen one. */
export function createSpoiler({ kind, at }: Injection) {
  const places = { statement: [], blob: [], mail: [], hook: [], message: [] } satisfies Places as Record<
    keyof Places,
    string[]
  >;
  const failing = kind === "transaction" ? "statement" : kind;
  let isOn = false;
  const strike = (of: keyof Places, place: string): boolean => isOn && places[of].push(place) === at && of === failing;
  return {
    places,
    turn(on: boolean): void {
      isOn = on;
    },
    statement(sql: string, database: DatabaseSync): void {
      if (!strike("statement", sql)) return;
      if (kind === "transaction" && database.isTransaction) database.exec("rollback");
      throw Object.assign(new Error("injected"), { code: kind === "transaction" ? "SQLITE_FULL" : "SQLITE_IOERR" });
    },
    async blob(call: string): Promise<void> {
      if (strike("blob", call)) throw Object.assign(new Error("injected"), { code: "ENOSPC" });
    },
    async send(what: "mail" | "hook", place: string): Promise<void> {
      if (strike(what, place)) throw new Error("injected");
    },
    /** True when the connection is to end with this message. */
    message: (cmd: string): boolean => strike("message", cmd),
  };
}

export type Spoiler = ReturnType<typeof createSpoiler>;

export function spoiledBlobs(inner: BlobStore, { blob }: Spoiler): BlobStore {
  const { move } = inner;
  return {
    put: async (key, content) => blob("put").then(() => inner.put(key, content)),
    get: async (key, range) => blob("get").then(() => inner.get(key, range)),
    head: async (key) => blob("head").then(() => inner.head(key)),
    delete: async (key) => blob("delete").then(() => inner.delete(key)),
    list: async (prefix, page) => blob("list").then(() => inner.list(prefix, page)),
    ...(move ? { move: async (from: string, to: string) => blob("move").then(() => move.call(inner, from, to)) } : {}),
  };
}

const ANSWER = { status: 200, statusText: "OK", headers: {}, body: "ok", elapsedMs: 1 };

export const spoiledMailer = ({ send }: Spoiler): Mailer => ({ send: async ({ subject }) => send("mail", subject) });

export const spoiledHooks = ({ send }: Spoiler): WebHookClient => ({
  send: async ({ url }) => send("hook", url).then(() => ANSWER),
});

/** The same agents, whose connections end in the middle of a message. */
export function spoiledAgents(inner: AgentTransport, spoiler: Spoiler): AgentTransport {
  const links = new WeakMap<AgentLink, AgentLink>();
  const spoiled = (link: AgentLink): AgentLink => {
    const known = links.get(link);
    if (known) return known;
    const made: AgentLink = {
      ...link,
      send(message) {
        if (!spoiler.message(message.cmd)) return link.send(message);
        link.close("injected");
        return false;
      },
    };
    links.set(link, made);
    return made;
  };
  return {
    start: ({ receiver, ...context }) =>
      inner.start({
        ...context,
        receiver: {
          connected: (link) => receiver.connected(spoiled(link)),
          received: (link, message) => receiver.received(spoiled(link), message),
          disconnected: (link) => receiver.disconnected(spoiled(link)),
        },
      }),
    stop: () => inner.stop(),
  };
}
