import type { Clock } from "../../ports/clock.ts";
import type { IdGenerator } from "../../ports/ids.ts";
import type { Logger } from "../../ports/logger.ts";
import type { ReadAtOnce, ReadTx, Storage, WriteTx } from "../../ports/storage/storage.ts";
import type { Cause } from "../../wire/cause.ts";
import type { Config } from "../config/config.ts";
import type { DefinitionReader } from "../definitions/definitions.ts";
import type { ActionType } from "../plugins/action-type.ts";
import type { SignalboxEvents } from "../plugins/events.ts";
import type { Services } from "../plugins/services.ts";

/** The caller. Two kinds of accounts are kept apart: a key is never looked up as a user. */
export interface Actor {
  /** "host": a person whom the host signed in; there need not be an account here. */
  readonly kind: "system" | "user" | "host" | "key" | "anonymous";
  /** User name, or id of the API key; "system" for the engine itself. Goes into `username` of records and activity. */
  readonly id: string;
  /** Name for people: the title of the key or the name of the user. */
  readonly title: string;
  /** Effective privileges: only truthy ones are listed. */
  readonly privileges: Readonly<Record<string, true>>;
  /** Allowed category ids; empty = all. */
  readonly categories: readonly string[];
  /** Allowed group ids; empty = all. */
  readonly groups: readonly string[];
  /** Key of the session's record, for users who came by one; never the session id itself. */
  readonly session?: string;
}

/**
 * A person whom the host has signed in itself; roles add to privileges and restrictions
 * (docs/contract/credentials.md#kinds, docs/contract/privileges.md#effective-rights).
 */
export interface HostUser {
  /** Goes into `username` of records and activity: `^[\w\-.@]+$`. */
  readonly id: string;
  readonly name?: string;
  readonly roles?: readonly string[];
  /** Privilege ids. */
  readonly privileges?: readonly string[];
  /** Allowed categories; absent or empty = all. */
  readonly categories?: readonly string[];
  /** Allowed groups; absent or empty = all. */
  readonly groups?: readonly string[];
}

/** Credentials of a call, before they are resolved to an actor. */
export interface Credentials {
  readonly apiKey?: string;
  readonly sessionId?: string;
  readonly csrfToken?: string;
  /** The session came by cookie, so it is ambient (docs/contract/credentials.md#cross-site-requests). */
  readonly sessionFromCookie?: boolean;
}

/** The sender of a call on the network. */
export interface Client {
  /** Addresses, nearest the caller first; empty in process. */
  readonly ips: readonly string[];
  readonly ip: string;
  /** Request headers without credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly userAgent: string;
  /** Base URL the caller used, for links; empty in process. */
  readonly baseUrl: string;
  readonly method: string;
  /** The path carried `/v<n>`; also true for calls in process. */
  readonly versioned: boolean;
  /** Path after the operation's name: "wait" of `run_event/v1/wait`. */
  readonly pathSuffix: string;
  /** Path and query as they were sent, without credentials. Absent in process, as are the next two. */
  readonly url?: string | undefined;
  /** Parameters of the query that an operation may see. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Cookies without the session's. */
  readonly cookies?: Readonly<Record<string, string>> | undefined;
  /** The host's own id of the request, if it gives one (docs/contract/requests.md#request-id). */
  readonly requestId?: string | undefined;
}

/** Instructions of an operation to its transport, beside the answer; calls inside the process have no use for them. */
export interface Reply {
  /** Sent with a success as well as with a refusal; the last value of a name stays. */
  setHeader(name: string, value: string): void;
  /**
   * The answer will be long: said before most of it is read. Throws `DomainError` ("unavailable") while there is no
   * room for another one; absent = there always is.
   */
  becomesLong?(): void;
  /**
   * The answer waits for something outside of the call, and neither parameters nor files are read again: their room is
   * given back.
   */
  leavesInput?(): void;
  /** Rows, or the only member of an answer, may come as `JsonText`, as they are written and not looked at. */
  readonly takesTexts?: boolean;
}

/** A file of a multipart request, already in the blob store under a temporary key. */
export interface Upload {
  readonly field: string;
  readonly filename: string;
  readonly sizeBytes: number;
  readonly key: string;
}

/** Members that the context of every handler has. */
export interface OperationContext {
  readonly actor: Actor;
  readonly client: Client;
  readonly config: Config;
  readonly services: Services;
  /** Types of actions that plugins add; third parties' have a dot in their name. */
  readonly actionTypes: ReadonlyMap<string, ActionType>;
  readonly clock: Clock;
  /** Whole Unix seconds at the start of the call, for stamps. */
  readonly now: number;
  readonly ids: IdGenerator;
  readonly log: Logger;
  readonly uploads: readonly Upload[];
  /** Aborted when the caller goes away; only `afterCommit` and streams wait long enough to look at it. */
  readonly signal: AbortSignal;
  readonly reply: Reply;
  /** Credentials as they were sent; empty unless the operation's access is `unchecked`. */
  readonly credentials: Credentials;
}

/** Context of work before the transaction of a command, for slow steps such as hashing a password. */
export interface PrepareContext extends OperationContext {
  /** The call runs inside a transaction of the host: its commit is not seen here, and another one would wait for it. */
  readonly hosted: boolean;
  /**
   * One snapshot of the storage; inside a host's transaction, that transaction. `readAtOnce` as a query has it: for
   * work that reads once.
   */
  read<R>(work: (tx: ReadTx, readAtOnce?: ReadAtOnce) => Promise<R>): Promise<R>;
}

/** Context of a query's handler: all its reads see one snapshot. */
export interface QueryContext extends OperationContext {
  readonly tx: ReadTx;
  /** Resident collections as `tx` sees them, without waiting where they are in memory. */
  readonly definitions: DefinitionReader;
  /** Read for a query that reads once; see `readOne` and `readAll`. Absent where `tx` alone has the answer. */
  readonly readAtOnce?: ReadAtOnce | undefined;
}

/** The object of an audited change, under its type name, plus further members of the action's row. */
export type AuditDetail = Readonly<Record<string, unknown>>;

export type Emit = <K extends keyof SignalboxEvents>(type: K, payload: SignalboxEvents[K]) => void;

/** Context of a command's handler: all its writes are one transaction. */
export interface CommandContext extends OperationContext {
  readonly tx: WriteTx;
  /** Publishes after commit; dropped on rollback. */
  readonly emit: Emit;
  /** Writes an activity row in the same transaction (docs/contract/activity.md#writing). */
  audit(action: string, detail: AuditDetail): void;
}

/** Context of a stream's handler: it reads as slowly as its client does, so it has no snapshot. */
export interface StreamContext extends OperationContext {
  readonly storage: Storage;
}

const allPrivileges: Readonly<Record<string, true>> = { admin: true };

/** The engine itself; `signalbox.api` acts as it, too. */
export const systemActor: Actor = {
  kind: "system",
  id: "system",
  title: "System",
  privileges: allPrivileges,
  categories: [],
  groups: [],
};

/** A caller without credentials. */
export const anonymous: Actor = {
  kind: "anonymous",
  id: "",
  title: "",
  privileges: {},
  categories: [],
  groups: [],
};

/** Calls from inside the process. */
export const localClient: Client = {
  ips: [],
  ip: "",
  headers: {},
  userAgent: "",
  baseUrl: "",
  method: "POST",
  versioned: true,
  pathSuffix: "",
};

/** An agent that is not called but tells something, for rows of the activity log. */
export const agentAt = (ip: string): Client => ({ ...localClient, ip, ips: [ip] });

const CAUSE_OF: Readonly<Record<Actor["kind"], Cause["kind"]>> = {
  ...{ system: "system", user: "user", host: "user", key: "api_key", anonymous: "anonymous" },
};

/** A caller as the cause of the call's writes; a caller without credentials is named by the address. */
export function causeOf({ kind, id }: Pick<Actor, "kind" | "id">, { ip, requestId }: Client): Cause {
  const request = requestId === undefined ? {} : { request: requestId };
  return { kind: CAUSE_OF[kind], id: kind === "anonymous" ? ip : id, ...request };
}

export const noReply: Reply = { setHeader: () => undefined };
