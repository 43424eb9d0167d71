import type * as z from "zod";
import type { Awaitable } from "../../lib/turns/awaitable.ts";
import type { Stamps } from "../../wire/fields/stamps.ts";
import type { CommandContext, OperationContext, PrepareContext, QueryContext, StreamContext } from "./context.ts";

/** Canonical HTTP method; transports tolerate others (docs/contract/requests.md#methods). */
export type Method = "GET" | "POST" | "ANY";

/**
 * Who may call: everyone; callers with valid credentials; callers with a token that the handler itself checks; callers with a
 * privilege, or with a second one whose bounds the handler checks (administrators have all). With "unchecked" the handler
 * receives the credentials as sent.
 */
export type Access =
  | { readonly kind: "anyone" }
  | { readonly kind: "credentials" }
  | { readonly kind: "token"; readonly parameter?: string }
  | { readonly kind: "unchecked" }
  | { readonly kind: "privilege"; readonly id: string; readonly or?: string };

/** Everyone; credentials are ignored. */
export const anyone: Access = { kind: "anyone" };
/** Callers with valid credentials, whatever their privileges. */
export const credentials: Access = { kind: "credentials" };
/** Credentials are optional: the handler accepts a token instead. */
export const token: Access = { kind: "token" };
/** Like `token`, but when the parameter holds a token, credentials sent with it are ignored. */
export const tokenBefore = (parameter: string): Access => ({ kind: "token", parameter });
/** For login, logout and resume: `context.credentials` holds the credentials sent, and the caller counts as unknown. */
export const unchecked: Access = { kind: "unchecked" };
/** Callers with a privilege, and administrators. Callers with `or` are admitted too; the handler decides what they may do. */
export const privilege = (id: string, or?: string): Access => ({
  kind: "privilege",
  id,
  ...(or === undefined ? {} : { or }),
});
/** Administrators only. */
export const admin: Access = privilege("admin");

/** First path segment after the API base. */
export type Namespace = "app" | "user";

/**
 * "body": POST body only; "merged": body overlaid by query; "layered": query overlaid by body. GET reads are always
 * merged.
 */
export type ParameterSource = "body" | "merged" | "layered";

export type Accepts = "anything" | readonly (string | z.ZodType)[];

/** Declaration of an operation. */
export interface OperationSpec<
  Name extends string,
  Input extends z.ZodType,
  Output extends z.ZodType,
  Context,
  Result = z.input<Output>,
  Space extends Namespace = Namespace,
> {
  /** Wire name: "create_tag". */
  readonly name: Name;
  /** Default: POST for commands, GET for queries and streams. */
  readonly method?: Method;
  readonly namespace?: Space;
  /** One sentence for all references. */
  readonly summary: string;
  readonly access: Access;
  /** Codes of its own refusals, in addition to the codes of all operations (docs/contract/errors.md#codes-of-resources). */
  readonly refuses?: readonly string[];
  /** An input as a caller would send it, for all references. Needed where the schema is not enough to make one up. */
  readonly example?: NoInfer<z.input<Input>>;
  /** Default: "merged" for GET and ANY, "body" for POST. */
  readonly parameters?: ParameterSource;
  /** Query parameter that, when sent, receives the whole body as its value instead of being merged with it. */
  readonly wholeBody?: string;
  /** Takes a body of any type as the text of one member of at most `maxBytes`. */
  readonly wholeText?: { readonly member: string; readonly maxBytes: number };
  /** Refuses with its own HTTP status on every path, because its callers read only the status. */
  readonly ownStatus?: true;
  /** Accepts multipart files; they arrive as `context.uploads`. */
  readonly files?: boolean;
  /** The handler takes long and stops when `context.signal` says that the caller has disconnected. */
  readonly abortable?: boolean;
  /**
   * Further members that callers may send, besides the members of `input` and of the command's record: names, or schemas that list
   * them. Other members are kept, and the answer names them under `unknown`. "anything": members are data of the caller.
   */
  readonly accepts?: Accepts;
  readonly input: Input;
  readonly output: Output;
  /** Refuses a shape that the schema cannot judge because it depends on plugins. Runs before the caller is identified. */
  shape?(input: z.output<Input>, services: OperationContext["services"]): void;
  /**
   * Lets callers without credentials send larger bodies than strangers may: judges them by the members received so far, which are
   * not validated yet. Rejects with the refusal for callers without that right. Absent = callers without credentials never may.
   */
  admits?(sent: Readonly<Record<string, unknown>>, context: OperationContext): Promise<void>;
  /** If a query answers synchronously, the whole call is synchronous, up to the transport. */
  handler(input: z.output<Input>, context: Context): Awaitable<Result>;
}

/** Additional members of a command's declaration. */
export interface CommandSpec<Input extends z.ZodType, Output extends z.ZodType, Prepared> {
  /**
   * Runs once, after the checks and before the transaction, and gives the handler its `context.prepared`: a transaction must not
   * wait for a hash. Records that it read may have changed since, so the handler repeats the checks that matter.
   */
  prepare?(input: z.output<Input>, context: PrepareContext): Promise<Prepared>;
  /**
   * Runs after the commit, outside of any transaction; its result replaces the handler's answer. Skipped inside a transaction of
   * the host, whose commit we do not see.
   */
  afterCommit?(result: z.input<Output>, context: OperationContext): Promise<unknown>;
  /**
   * Concurrent calls may share a transaction, because most only read, insert and take numbers, and refuse before their first
   * write. A call that does anything else runs again in its own transaction, and so do the next ones of its kind. `true` = all
   * calls are of one kind; a function returns the kind of a call, or undefined for a call that runs alone.
   */
  readonly together?: true | ((input: z.output<Input>) => string | undefined);
  /**
   * `prepare` does all the work and gives the answer. A transaction is opened for the handler only if a plugin has hooks on the
   * command.
   */
  readonly beforehand?: true;
}

/** A query reads, a command writes, a stream sends bytes as they become available. */
export type OperationKind = "query" | "command" | "stream";

/** One operation of the API, made by `defineQuery`, `defineCommand` or `defineStream`. */
export interface Operation<
  Name extends string = string,
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Space extends Namespace = Namespace,
> {
  readonly kind: OperationKind;
  readonly name: Name;
  readonly method: Method;
  readonly namespace: Space;
  readonly summary: string;
  readonly access: Access;
  readonly refuses?: readonly string[];
  readonly example?: unknown;
  readonly parameters: ParameterSource;
  readonly wholeBody?: string;
  readonly wholeText?: { readonly member: string; readonly maxBytes: number };
  readonly ownStatus?: true;
  readonly files: boolean;
  readonly abortable?: boolean;
  readonly accepts?: Accepts;
  readonly input: Input;
  readonly output: Output;
  // biome-ignore lint/suspicious/noExplicitAny: the three kinds differ in their context; the makers below check each
  readonly handler: (input: any, context: any) => Awaitable<any>;
  // biome-ignore lint/suspicious/noExplicitAny: the input of the same operation
  readonly shape?: (input: any, services: OperationContext["services"]) => void;
  readonly admits?: (sent: Readonly<Record<string, unknown>>, context: OperationContext) => Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: the input of the same operation
  readonly prepare?: (input: any, context: PrepareContext) => Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: the result of the same operation's handler
  readonly afterCommit?: (result: any, context: OperationContext) => Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: the input of the same operation
  readonly together?: true | ((input: any) => string | undefined);
  readonly beforehand?: true;
}

/** An operation of any name and types. */
// biome-ignore lint/suspicious/noExplicitAny: a list of operations is heterogeneous by nature
export type AnyOperation = Operation<string, any, any, Namespace>;

/** Answer of a stream operation: bytes with their own content type and headers. */
export interface StreamResult {
  readonly status?: number;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent = no body. */
  readonly body?: AsyncIterable<Uint8Array>;
}

function define(
  kind: OperationKind,
  spec: OperationSpec<string, z.ZodType, z.ZodType, never, unknown>,
): Operation<string, z.ZodType, z.ZodType> {
  const { method = kind === "command" ? "POST" : "GET" } = spec;
  return {
    namespace: "app",
    files: false,
    ...spec,
    method,
    parameters: spec.parameters ?? (method === "POST" ? "body" : "merged"),
    kind,
    handler: spec.handler.bind(spec) as Operation["handler"],
  };
}

/** Declares an operation that only reads: it runs in one snapshot. */
export function defineQuery<
  const Name extends string,
  Input extends z.ZodType,
  Output extends z.ZodType,
  const Space extends Namespace = "app",
>(
  spec: OperationSpec<Name, Input, Output, QueryContext, z.input<Output>, Space>,
): Operation<Name, Input, Output, Space> {
  return define("query", spec) as Operation<Name, Input, Output, Space>;
}

/**
 * Declares an operation that changes records: it runs in one transaction and must be repeatable.
 *
 * @example
 * const recordDeploy = defineCommand({
 *   name: "record_deploy",
 *   summary: "Remember that a version went live.",
 *   access: credentials,
 *   input: z.looseObject({ version: z.string() }),
 *   output: z.object({ id: z.string() }),
 *   async handler({ version }, { actor, ids, tx }) {
 *     const id = ids.short("d");
 *     await tx.collection(deployCollection).insert({ id, version, by: actor.id });
 *     return { id };
 *   },
 * });
 */
export function defineCommand<
  const Name extends string,
  Input extends z.ZodType,
  Output extends z.ZodType,
  const Space extends Namespace = "app",
  Prepared = undefined,
>(
  spec: CommandSpec<Input, Output, Prepared> &
    OperationSpec<Name, Input, Output, CommandContext & { readonly prepared: Prepared }, z.input<Output>, Space>,
): Operation<Name, Input, Output, Space> {
  return define("command", spec) as Operation<Name, Input, Output, Space>;
}

/** Declares an operation that answers bytes or an event stream; it opens short transactions itself. */
export function defineStream<const Name extends string, Input extends z.ZodType>(
  spec: Omit<OperationSpec<Name, Input, z.ZodType<StreamResult>, StreamContext, StreamResult>, "output">,
): Operation<Name, Input, z.ZodType<StreamResult>, "app"> {
  return define("stream", spec as never) as Operation<Name, Input, z.ZodType<StreamResult>, "app">;
}

type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

type ClientName<O extends AnyOperation> = O["namespace"] extends "user"
  ? `user${Capitalize<CamelCase<O["name"]>>}`
  : CamelCase<O["name"]>;

/** The in-process client: `create_tag` becomes `api.createTag(input)`, `user/login` becomes `api.userLogin(input)`. */
export type ApiOf<Ops extends readonly AnyOperation[]> = {
  readonly [O in Ops[number] as ClientName<O>]: Record<never, never> extends InputOf<O>
    ? (input?: InputOf<O>) => Promise<AnswerOf<O>>
    : (input: InputOf<O>) => Promise<AnswerOf<O>>;
};

type InputOf<O extends AnyOperation> =
  | Named<z.input<O["input"]>>
  | (O["input"] extends TakesRecord ? ReadRecord : never);

/** Marks, for types alone, the input of an operation that also takes a record as a read answered it. */
export interface TakesRecord {
  readonly "~record": true;
}
type ReadRecord = Omit<Stamps, "revision"> & { readonly id: string };

/**
 * Reduces a type to the members that its schema names. Other members are accepted from the wire and kept; in code they are
 * misspellings and must not compile. An input whose schema names none stays unchanged.
 */
type Named<T> = T extends object ? (keyof NamedOf<T> extends never ? T : NamedOf<T>) : T;
type NamedOf<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

/** Member that any answer may have; byte answers have a header instead. */
export type UnknownMembers = {
  /**
   * Dotted paths of the sent members that the operation does not know: kept where records are open, and without effect. At most
   * twenty; absent when there are none.
   */
  readonly unknown?: readonly string[];
};

type AnswerOf<O extends AnyOperation> =
  z.output<O["output"]> extends StreamResult ? z.output<O["output"]> : z.output<O["output"]> & UnknownMembers;

/** Name of an operation in the in-process client. */
export const clientName = ({ namespace, name }: Pick<AnyOperation, "namespace" | "name">): string =>
  camelCase(namespace === "user" ? `user_${name}` : name);

export const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
