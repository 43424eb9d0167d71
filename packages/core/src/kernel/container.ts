import { asFunction, asValue, createContainer } from "awilix/browser";
import { createExpressions, type Expressions } from "../expressions/index.ts";
import type { AgentTransport } from "../ports/agents/agent-transport.ts";
import type { ProcessRunner } from "../ports/agents/process-runner.ts";
import type { Clock } from "../ports/clock.ts";
import type { Documents } from "../ports/documents.ts";
import type { IdGenerator } from "../ports/ids.ts";
import type { LogFiles } from "../ports/log-files.ts";
import type { Logger } from "../ports/logger.ts";
import type { Fetch } from "../ports/outside/fetch.ts";
import type { Mailer } from "../ports/outside/mailer.ts";
import type { WebHookClient } from "../ports/outside/web-hook-client.ts";
import type { Random } from "../ports/random.ts";
import type { KeyProvider } from "../ports/secrets/key-provider.ts";
import type { PasswordVerifier } from "../ports/secrets/password-verifier.ts";
import type { SecretLog } from "../ports/secrets/secret-log.ts";
import type { BlobStore } from "../ports/storage/blob-store.ts";
import type { Storage } from "../ports/storage/storage.ts";
import type { Span, Tracer } from "../ports/tracer.ts";
import { type Apart, createApart } from "./apart.ts";
import { type Admit, createAdmission } from "./calls/admission.ts";
import { type Actor, causeOf, localClient } from "./calls/context.ts";
import {
  createExecute,
  createPipeline,
  type Dispatch,
  type Execute,
  type OperationCall,
  ownCommands,
  type PipelineDeps,
} from "./calls/pipeline.ts";
import type { Registry } from "./calls/registry.ts";
import type { Config, ConfigSource } from "./config/config.ts";
import { createDefinitions, type Definitions } from "./definitions/definitions.ts";
import { type Bus, createBus } from "./nodes/bus.ts";
import { createNodes, type Nodes } from "./nodes/nodes.ts";
import { createEventBus, type EventBus } from "./plugins/event-bus.ts";
import { createHooked, type Hooked } from "./plugins/hooks.ts";
import type { Cradle, KeyedCradle, KeyedServices } from "./plugins/services.ts";
import { createDispatcher, type Dispatcher } from "./running/dispatcher.ts";
import { bindHandlers, type Handlers } from "./running/handlers.ts";
import type { SigningKeys } from "./signing-keys.ts";
import { ended, type Outcome, tracedWebHooks } from "./traced.ts";
import { createStorageHealth, type StorageHealth } from "./transactions/storage-health.ts";
import {
  createLook,
  createSnapshot,
  createTransact,
  type Look,
  type Snapshot,
  type Transact,
} from "./transactions/unit-of-work.ts";
import { quietLogger, watchedBlobs } from "./transactions/watched-stores.ts";

/** Implementations of the ports, supplied by the host. */
export interface Ports {
  readonly storage: Storage;
  readonly blobs: BlobStore;
  readonly agents: readonly AgentTransport[];
  readonly mailer: Mailer | undefined;
  readonly webHookClient: WebHookClient | undefined;
  /** Absent = the host forbids child processes. */
  readonly processes: ProcessRunner | undefined;
  /** Absent = routine uses of secrets go to the log. */
  readonly secretLog: SecretLog | undefined;
  /** Absent = there is no documentation to read. */
  readonly documents: Documents | undefined;
  /** Absent = only the host can read the logs. */
  readonly logFiles: LogFiles | undefined;
  /** Absent = nothing is traced. */
  readonly tracer: Tracer | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** The `fetch` that functions of the host receive. */
  readonly fetch: Fetch;
  readonly ids: IdGenerator;
  readonly log: Logger;
}

/** Parts of the kernel that services may use. */
export interface Kernel {
  readonly registry: Registry;
  readonly config: Config;
  readonly configSource: ConfigSource;
  /** The host's key for the first administrator of a new installation; undefined = a random one is generated. */
  readonly administratorKey: string | undefined;
  /** The host's password for the user `admin`; undefined = a random one is generated. Never logged. */
  readonly administratorPassword: string | undefined;
  readonly verifyPassword: PasswordVerifier | undefined;
  /** Version of the host program, recorded in its jobs and alerts (docs/contract/records.md#versions). */
  readonly codeVersion: string;
  /** Warnings to the host, as sentences: about missing options, and from plugins at their start. */
  readonly warnings: string[];
  readonly events: EventBus;
  readonly definitions: Definitions;
  readonly expressions: Expressions;
  readonly transact: Transact;
  readonly look: Look;
  readonly snapshot: Snapshot;
  readonly storageHealth: StorageHealth;
  readonly nodes: Nodes;
  readonly bus: Bus;
  readonly apart: Apart;
  readonly dispatcher: Dispatcher;
  readonly dispatch: Dispatch;
  readonly execute: Execute;
  readonly handlers: Handlers;
  readonly hooked: Hooked;
  readonly admit: Admit;
}

/** Keys supplied by the host. Never logged. */
interface GivenKeys {
  readonly signingKeys: SigningKeys;
  /** Provides the keys that seal secrets. */
  readonly keyProvider: KeyProvider;
}

/** Keys that sign tokens and seal secrets. They may change, so every use reads them again. */
interface Keys extends GivenKeys {
  /** Signs tokens. */
  readonly secretKey: string;
  /** Earlier secret keys that may still be in use. */
  readonly previousSecretKeys: readonly string[];
}

export type { Cradle, KeyedCradle };

declare module "./plugins/services.ts" {
  interface Cradle extends Ports, Kernel {}
  interface KeyedCradle extends Keys {}
}

export interface Container {
  readonly cradle: Cradle;
  dispose(): Promise<void>;
}

interface Trusted {
  /** Services that receive the keys; all other services, loops and handlers get a container without them. */
  readonly keyedServices: Readonly<Record<keyof KeyedServices, true>>;
}

type Given = Ports &
  GivenKeys &
  Trusted &
  Pick<
    Kernel,
    | "registry"
    | "config"
    | "configSource"
    | "administratorKey"
    | "administratorPassword"
    | "verifyPassword"
    | "codeVersion"
    | "warnings"
  >;

/** Ports are values; each service is created once, on first use, from the members that it destructures. */
export function buildContainer(all: Given): Container {
  const { signingKeys, keyProvider, keyedServices, ...given } = all;
  const container = createContainer<Cradle>({ strict: true });
  const cradle = {} as Cradle;
  const keyed = keysOf({ signingKeys, keyProvider }) as KeyedCradle;
  const once: Once = (make) => asFunction(() => make(cradle)).singleton();
  const forCalls = (): PipelineDeps => ({ ...pipelineDeps(cradle), services: () => cradle });
  for (const [name, value] of Object.entries(given)) container.register(name, asValue(value));
  container.register({
    ...watchedPorts(given, cradle, once),
    events: once(createEventBus),
    definitions: once(createDefinitions),
    expressions: once(makeExpressions),
    transact: once(createTransact),
    look: once(createLook),
    snapshot: once(createSnapshot),
    apart: once(createApart),
    dispatcher: once(createDispatcher),
    nodes: once(createNodes),
    bus: once(createBus),
    dispatch: once(({ registry, tracer }) => tracedDispatch(createPipeline(forCalls()), tracer, registry)),
    execute: once(createExecute),
    handlers: once(bindHandlers),
    hooked: once(({ log, registry }) => createHooked({ hooks: registry.hooks, log, command: ownCommands(forCalls()) })),
    admit: once(() => createAdmission(forCalls())),
  });
  for (const plugin of given.registry.plugins)
    for (const [name, make] of Object.entries(plugin.services ?? {})) {
      // A later plugin that claims the name of a keyed service does not get the keys with it.
      const seen = Object.hasOwn(keyedServices, name) && !container.hasRegistration(name) ? keyed : cradle;
      container.register(name, asFunction(() => (make as (parts: object) => object)(seen)).singleton());
    }
  for (const name of Object.keys(container.registrations)) {
    resolveOnce(cradle, name, () => container.resolve(name));
    if (!(name in keyed)) resolveOnce(keyed, name, () => cradle[name as keyof Cradle]);
  }
  return { cradle, dispose: () => container.dispose() };
}

const keysOf = ({ signingKeys, keyProvider }: GivenKeys): Keys => ({
  signingKeys,
  keyProvider,
  get secretKey() {
    return signingKeys.current();
  },
  get previousSecretKeys() {
    return signingKeys.former();
  },
});

type Once = <T>(make: (cradle: Cradle) => T) => ReturnType<typeof asFunction<T>>;

/** Wraps the ports for all parts of the engine: the wrappers record failures of the stores and trace outgoing requests. */
function watchedPorts(given: Ports, deps: Pick<Cradle, "storageHealth" | "transact">, once: Once) {
  const { storage, blobs, clock, log } = given;
  const note: StorageHealth["note"] = (error) => deps.storageHealth.note(error);
  return {
    storageHealth: once(() => createStorageHealth({ storage, blobs, clock, log, transact: () => deps.transact })),
    blobs: asValue(watchedBlobs(blobs, note)),
    log: asValue(quietLogger(log, note)),
    webHookClient: asValue(tracedWebHooks(given.webHookClient, given.tracer)),
  };
}

/** Resolves each name once: services read the cradle on every call, and lookups in the container do needless work. */
function resolveOnce(cradle: object, name: string, resolve: () => unknown): void {
  Object.defineProperty(cradle, name, {
    configurable: true,
    enumerable: true,
    get() {
      const value = resolve();
      Object.defineProperty(cradle, name, { value, enumerable: true });
      return value;
    },
  });
}

/** Resolves lookups when a template needs them, not now: the services behind them are themselves built with expressions. */
function makeExpressions(deps: Pick<Cradle, "clock" | "config" | "log" | "lookups" | "registry">): Expressions {
  const { registry, config, clock, log } = deps;
  return createExpressions({
    functions: Object.fromEntries(registry.functions),
    locale: config.locale,
    monotonic: () => clock.monotonicMs(),
    lookups: { server: (id) => deps.lookups.server(id), event: (id) => deps.lookups.event(id) },
    onRegexTimeout: (pattern) => log.warn({ pattern }, "A regular expression was stopped at its time limit"),
  });
}

type ForCalls = Pick<Cradle, Exclude<keyof PipelineDeps, "services">>;

function pipelineDeps(deps: ForCalls): ForCalls {
  const { registry, storage, storageHealth, transact, look, config, clock, ids, log } = deps;
  return { registry, storage, storageHealth, transact, look, config, clock, ids, log };
}

/** Creates a span for each call of a known operation: a stranger must not be able to invent span names. */
function tracedDispatch(dispatch: Dispatch, tracer: Tracer | undefined, { operations }: Pick<Registry, "operations">) {
  if (!tracer) return dispatch;
  const traced: Dispatch = (call) => {
    if (!operations.has(call.operation)) return dispatch(call);
    const caller: { kind?: string } = {};
    const identified = (actor: Actor): void => {
      caller.kind = causeOf(actor, localClient).kind;
      call.identified?.(actor);
    };
    const span = startCall(tracer, call);
    const done = ({ code, isFailure }: Outcome): void => {
      const facts = { "signalbox.code": code, "signalbox.caller": caller.kind ?? "unknown" };
      span.end({ facts, isFailure });
    };
    return ended(() => span.run(() => dispatch({ ...call, identified })), done);
  };
  return traced;
}

/** Starts the span of a call below the host's active span; if there is none, below the parent that the request names. */
function startCall(tracer: Tracer, { operation, client }: OperationCall): Span {
  const isRemote = client !== undefined && client.ip !== "";
  const parent = tracer.active() === undefined ? client?.headers["traceparent"] : undefined;
  const facts = { "signalbox.operation": operation };
  return tracer.start({ name: operation, kind: isRemote ? "server" : "internal", parent, facts });
}
