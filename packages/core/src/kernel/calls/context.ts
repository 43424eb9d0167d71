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

/** The caller. Users and keys are separate: a key is never looked up as a user. */
export interface Actor {
  /** "host": a person whom the host signed in, who need not have an account here. */
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
  /** Key of the stored session record, for users who came with a session; never the session id itself. */
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
  /**
   * True when the session came in a cookie, so browsers send it by themselves (docs/contract/credentials.md#cross-site-requests).
   */
  readonly sessionFromCookie?: boolean;
}

/** The network side of a call. */
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
  /** Path after the operation's name: "wait" in `run_event/v1/wait`. */
  readonly pathSuffix: string;
  /** Path and query as sent, without credentials. Absent in process, like the next two. */
  readonly url?: string | undefined;
  /** Query parameters that an operation may see. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Cookies except the session's. */
  readonly cookies?: Readonly<Record<string, string>> | undefined;
  /** The host's own id of the request, if it has one (docs/contract/requests.md#request-id). */
  readonly requestId?: string | undefined;
}

/** Instructions of an operation to its transport, in addition to the answer; in-process calls ignore them. */
export interface Reply {
  /** Sent with successes and refusals alike; the last value of a name wins. */
  setHeader(name: string, value: string): void;
  /**
   * Reserves memory for a long answer, before most of it is read. Throws `DomainError` ("unavailable") when there is no room for
   * another long answer; absent = there is always room.
   */
  becomesLong?(): void;
  /**
   * Frees the memory of parameters and files, because the answer now waits for something outside of the call and will not read
   * them again.
   */
  leavesInput?(): void;
  /** Accepts rows, or the only member of an answer, as `JsonText`, which is sent without parsing. */
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
  /** Types of actions that plugins add; the types of third parties have a dot in their name. */
  readonly actionTypes: ReadonlyMap<string, ActionType>;
  readonly clock: Clock;
  /** Whole Unix seconds at the start of the call, for timestamps. */
  readonly now: number;
  readonly ids: IdGenerator;
  readonly log: Logger;
  readonly uploads: readonly Upload[];
  /** Aborts when the caller disconnects; only `afterCommit` and streams run long enough to need it. */
  readonly signal: AbortSignal;
  readonly reply: Reply;
  /** Credentials as sent; empty unless the operation's access is `unchecked`. */
  readonly credentials: Credentials;
}

/** Context of the work before a command's transaction: slow steps such as hashing a password. */
export interface PrepareContext extends OperationContext {
  /**
   * The call runs inside a transaction of the host: its commit is not visible here, and a second transaction would wait for it.
   */
  readonly hosted: boolean;
  /**
   * Reads one snapshot of the storage or, inside a host's transaction, that transaction. `readAtOnce` is the one of
   * `QueryContext`, for work that reads once.
   */
  read<R>(work: (tx: ReadTx, readAtOnce?: ReadAtOnce) => Promise<R>): Promise<R>;
}

/** Context of a query's handler: all its reads see one snapshot. */
export interface QueryContext extends OperationContext {
  readonly tx: ReadTx;
  /** Resident collections as `tx` sees them; synchronous where they are in memory. */
  readonly definitions: DefinitionReader;
  /** Direct read for a query that reads only once; see `readOne` and `readAll`. Absent where only `tx` can answer. */
  readonly readAtOnce?: ReadAtOnce | undefined;
}

/** The object of an audited change under its type name, plus further members of the activity row. */
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

/** Context of a stream's handler. It has no snapshot, since it would hold one for as long as a slow client reads. */
export interface StreamContext extends OperationContext {
  readonly storage: Storage;
}

const allPrivileges: Readonly<Record<string, true>> = { admin: true };

/** The engine itself; `signalbox.api` acts as it too. */
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

/** An agent that reports something without a call, for rows of the activity log. */
export const agentAt = (ip: string): Client => ({ ...localClient, ip, ips: [ip] });

const CAUSE_OF: Readonly<Record<Actor["kind"], Cause["kind"]>> = {
  system: "system",
  user: "user",
  host: "user",
  key: "api_key",
  anonymous: "anonymous",
};

/** Names a caller as the cause of the call's writes; a caller without credentials is named by address. */
export function causeOf({ kind, id }: Pick<Actor, "kind" | "id">, { ip, requestId }: Client): Cause {
  const request = requestId === undefined ? {} : { request: requestId };
  return { kind: CAUSE_OF[kind], id: kind === "anonymous" ? ip : id, ...request };
}

export const noReply: Reply = { setHeader: () => undefined };
