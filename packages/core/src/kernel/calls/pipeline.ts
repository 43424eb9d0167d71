import type * as z from "zod";
import { type Awaitable, adopt, andThen } from "../../lib/turns/awaitable.ts";
import type { Clock } from "../../ports/clock.ts";
import type { IdGenerator } from "../../ports/ids.ts";
import type { Logger } from "../../ports/logger.ts";
import type { AdoptedTransaction, Storage } from "../../ports/storage/storage.ts";
import { checkCommonParameters } from "../../wire/fields/common.ts";
import { describeIssue, plainCause } from "../../wire/issues.ts";
import type { Config } from "../config/config.ts";
import { InputError } from "../errors/errors.ts";
import { knownError, notRunning } from "../errors/known-error.ts";
import { type HookedCommand, hooksFor, type OperationHook, runBefore } from "../plugins/hooks.ts";
import type { Services } from "../plugins/services.ts";
import type { StorageHealth } from "../transactions/storage-health.ts";
import type { Look, Transact } from "../transactions/unit-of-work.ts";
import {
  type Actor,
  anonymous,
  type Client,
  type Credentials,
  type HostUser,
  localClient,
  noReply,
  type OperationContext,
  type PrepareContext,
  type QueryContext,
  type Reply,
  systemActor,
  type Upload,
} from "./context.ts";
import type { Gatekeeper } from "./gatekeeper.ts";
import type { Access, AnyOperation } from "./operation.ts";
import type { Registry } from "./registry.ts";
import { createUnknownCheck, withUnknown } from "./unknown.ts";

/** One call of one operation, from a transport or in process. */
export interface OperationCall {
  /** Wire name; "user/<name>" for the user namespace. */
  readonly operation: string;
  readonly input?: unknown;
  /** The caller, if already known; otherwise `credentials` are resolved. */
  readonly actor?: Actor;
  /** A person signed in by the host; takes precedence over `credentials`. */
  readonly hostUser?: HostUser;
  readonly credentials?: Credentials;
  readonly client?: Client;
  readonly reply?: Reply;
  readonly uploads?: readonly Upload[];
  readonly signal?: AbortSignal;
  readonly transaction?: AdoptedTransaction;
  /** Refuses members that the operation does not know, as `api.strict` does for all calls. */
  readonly strict?: boolean;
  /** Receives the caller before anything else is decided, for the logs of transports. */
  readonly identified?: (actor: Actor) => void;
}

export interface PipelineDeps {
  readonly registry: Registry;
  readonly storage: Storage;
  readonly storageHealth: Pick<StorageHealth, "phase" | "note">;
  readonly transact: Transact;
  readonly look: Look;
  readonly services: () => Services;
  readonly config: Config;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly log: Logger;
}

/** Returns or throws synchronously when nothing has to be awaited, for example for reads of definitions with an API key. */
export type Dispatch = (call: OperationCall) => Awaitable<unknown>;

/** Calls an operation; always returns a promise, which rejects with `SignalboxError`. */
export type Execute = (call: OperationCall) => Promise<unknown>;

const NO_UPLOADS: readonly Upload[] = [];
const NO_CREDENTIALS: Credentials = {};
const NEVER_ABORTED = new AbortController().signal;

/**
 * The only entry for calls. Checks run in the contract's order (docs/contract/requests.md#order-of-checks): shape of the
 * parameters, caller, privilege, then checks that read stored data.
 */
export function createPipeline(deps: PipelineDeps): Dispatch {
  const answerTo = createAnswers(deps);
  const unknownOf = createUnknownCheck(deps);

  function runFor(actor: Actor, operation: AnyOperation, input: Input, { client, call }: Sender): Awaitable<unknown> {
    call.identified?.(actor);
    deps.services().gatekeeper.authorize(actor, operation.access);
    // Unknown members are reported only to known callers, never to strangers.
    const unknown = unknownOf(operation, input.sent, call);
    const context = contextOf(deps, operation, { actor, client, call });
    const answer = answerTo(operation, input.data, context, call);
    return unknown ? andThen(answer, (members) => withUnknown(operation, members, unknown)) : answer;
  }

  function perform(call: OperationCall): Awaitable<unknown> {
    const operation = findOperation(deps, call);
    if (deps.storageHealth.phase !== "running") throw notRunning(call.operation, deps.storageHealth);
    const sent = checkCommonParameters(call.input ?? {}, operation);
    const input: Input = { sent, data: parseInput(operation, sent, deps.services()) };
    const sender: Sender = { client: call.client ?? localClient, call };
    const actor = call.actor ?? identify(operation, sender, deps.services().gatekeeper);
    return andThen(actor, (known) => runFor(known, operation, input, sender));
  }

  return (call) => {
    const fail = (error: unknown): never => {
      throw knownError(deps, error, call);
    };
    try {
      const output = perform(call);
      return output instanceof Promise ? output.catch(fail) : output;
    } catch (error) {
      return fail(error);
    }
  };
}

export function createExecute({ dispatch }: { readonly dispatch: Dispatch }): Execute {
  return async (call) => dispatch(call);
}

type Run<Answer> = (operation: AnyOperation, input: unknown, context: OperationContext, call: OperationCall) => Answer;

/** Runs operations of every kind, with what follows the commit. */
function createAnswers(deps: PipelineDeps): Run<Awaitable<unknown>> {
  const runCommand = createCommandRun(deps);
  const run: Run<Awaitable<unknown>> = (operation, input, base, call) => {
    if (operation.kind === "query")
      return deps.look<unknown>(
        (tx, definitions, readAtOnce) =>
          adopt(operation.handler(input, queryContext(base, { tx, definitions, readAtOnce }))),
        call.transaction,
      );
    if (operation.kind === "stream") return adopt(operation.handler(input, { ...base, storage: deps.storage }));
    return runCommand(operation, input, base, call);
  };
  return (operation, input, context, call) => {
    const output = run(operation, input, context, call);
    if (!deps.config.debug && !operation.afterCommit) return output;
    return andThen(output, (answer) => {
      const result = deps.config.debug ? checked(operation, answer) : answer;
      return operation.afterCommit && !call.transaction ? operation.afterCommit(result, context) : result;
    });
  };
}

function createCommandRun(deps: PipelineDeps): Run<Promise<unknown>> {
  const hooksOf = createHookTable(deps.registry);
  return async (operation, input, base, call) => {
    const hooks = hooksOf(operation.name);
    const prepared = operation.prepare && (await operation.prepare(input, prepareContextOf(deps, base, call)));
    if (operation.beforehand && hooks.length === 0) return prepared;
    return deps.transact(
      async (unit) => {
        const context = { ...base, tx: unit.tx, emit: unit.emit, audit: unit.audit, prepared };
        const changed = hooks.length > 0 ? await runBefore(hooks, hookedCommand(operation, context), input) : input;
        const output: unknown = await operation.handler(changed, context);
        for (const hook of hooks) await hook.after?.(output, context, operation.name);
        return output;
      },
      {
        actor: base.actor,
        client: base.client,
        transaction: call.transaction,
        // Hooks may write anything, so the transaction cannot be shared; and files are discarded with the first refusal, which
        // may be that of another call.
        together: hooks.length > 0 || base.uploads.length > 0 ? undefined : kindOf(operation, input),
      },
    );
  };
}

export function findOperation(
  { registry }: Pick<PipelineDeps, "registry">,
  { operation: key }: OperationCall,
): AnyOperation {
  const operation = registry.operations.get(key);
  if (operation) return operation;
  const path = key.startsWith("user/") ? key : `app/${key}`;
  throw new InputError(`Unsupported API: ${path}`, { status: 404 });
}

const checked = ({ kind, output: schema }: AnyOperation, output: unknown): unknown =>
  kind === "stream" ? output : schema.parse(output);

const kindOf = ({ name, together }: AnyOperation, input: unknown): string | undefined =>
  together === true ? name : together?.(input);

/** A query owns its context, and copying it would cost as much as the rest of a small query. */
function queryContext(base: OperationContext, { tx, definitions, readAtOnce }: Reading): QueryContext {
  const context = base as { -readonly [K in keyof QueryContext]: QueryContext[K] };
  context.tx = tx;
  context.definitions = definitions;
  context.readAtOnce = readAtOnce;
  return context;
}

type Reading = Pick<QueryContext, "tx" | "definitions" | "readAtOnce">;

function prepareContextOf(deps: PipelineDeps, base: OperationContext, { transaction }: OperationCall): PrepareContext {
  const read: PrepareContext["read"] = async (work) => deps.look((tx, _known, once) => work(tx, once), transaction);
  return { ...base, hosted: transaction !== undefined, read };
}

function createHookTable({ hooks: all }: Registry): (name: string) => readonly OperationHook[] {
  const byOperation = new Map<string, readonly OperationHook[]>();
  return (name) => {
    const known = byOperation.get(name);
    if (known) return known;
    const hooks = hooksFor(all, name);
    byOperation.set(name, hooks);
    return hooks;
  };
}

interface Sender {
  readonly client: Client;
  readonly call: OperationCall;
}

interface Input {
  /** Input after the common checks. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** Input after the operation's own schema. */
  readonly data: unknown;
}

export function contextOf(
  deps: PipelineDeps,
  { access }: AnyOperation,
  { actor, client, call }: Sender & { readonly actor: Actor },
): OperationContext {
  return {
    actor,
    client,
    config: deps.config,
    services: deps.services(),
    actionTypes: deps.registry.actionTypes,
    clock: deps.clock,
    now: Math.floor(deps.clock.now()),
    ids: deps.ids,
    log: deps.log,
    uploads: call.uploads ?? NO_UPLOADS,
    signal: call.signal ?? NEVER_ABORTED,
    reply: call.reply ?? noReply,
    credentials: access.kind === "unchecked" && call.credentials ? call.credentials : NO_CREDENTIALS,
  };
}

export function identify({ access }: AnyOperation, { client, call }: Sender, gatekeeper: Gatekeeper): Awaitable<Actor> {
  const { kind } = access;
  // Public operations ignore credentials: an expired key must not fail a health check.
  if (kind === "anyone" || kind === "unchecked" || hasToken(access, call.input)) return anonymous;
  if (call.hostUser) return gatekeeper.admit(call.hostUser);
  if (!call.credentials) return anonymous;
  if (kind !== "token") return gatekeeper.authenticate(call.credentials, client);
  // A token may replace credentials; without credentials the handler sees an unknown caller.
  return hasCredentials(call.credentials) ? gatekeeper.authenticate(call.credentials, client) : anonymous;
}

function hasToken(access: Access, input: unknown): boolean {
  if (access.kind !== "token" || access.parameter === undefined) return false;
  return Boolean((input as Readonly<Record<string, unknown>> | null | undefined)?.[access.parameter]);
}

const hasCredentials = ({ apiKey, sessionId }: Credentials): boolean => apiKey !== undefined || sessionId !== undefined;

/** Only one issue is reported, so validation stops at the first: messages for 90,000 wrong elements would take 50 ms. */
const FIRST_ISSUE = { abortEarly: true } as z.core.ParseContext<z.core.$ZodIssue>;

/** Applies the schema after the common checks (docs/contract/records.md#common-members); names the first bad member. */
function parseInput(operation: AnyOperation, input: Readonly<Record<string, unknown>>, services: Services): unknown {
  const result = (operation.input as z.ZodType).safeParse(input, FIRST_ISSUE);
  if (result.success) {
    operation.shape?.(result.data, services);
    return result.data;
  }
  const issue = result.error.issues[0];
  const text = issue ? describeIssue(issue, input) : "Malformed request body.";
  throw new InputError(text, { cause: plainCause(result.error) });
}

const hookedCommand = <Context extends OperationContext>(operation: AnyOperation, context: Context) => ({
  name: operation.name,
  context,
  parse: (changed: unknown) => parseInput(operation, checkCommonParameters(changed, operation), context.services),
});

/** Finds commands for the engine's own work, which has no caller. */
export const ownCommands =
  (deps: PipelineDeps) =>
  (key: string): HookedCommand<OperationContext> => {
    const operation = findOperation(deps, { operation: key });
    const caller = { actor: systemActor, client: localClient, call: { operation: key } };
    return hookedCommand(operation, contextOf(deps, operation, caller));
  };
