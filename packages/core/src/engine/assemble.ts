import { createRegistry } from "../kernel/calls/registry.ts";
import { buildContainer, type Cradle } from "../kernel/container.ts";
import { codeVersionOf } from "../kernel/plugins/code-version.ts";
import type { Plugin } from "../kernel/plugins/plugin.ts";
import { createSigningKeys } from "../kernel/signing-keys.ts";
import { isObject } from "../lib/json/is-object.ts";
import {
  checkOptions,
  given,
  OptionError,
  type OptionRule,
  type OptionRules,
  optional,
  optionalList,
  optionalPart,
  requiredPart,
} from "../lib/process/check-options.ts";
import { nodeFault } from "../lib/process/node-version.ts";
import { memoryBlobStore } from "../memory/memory-blob-store.ts";
import { systemClock } from "../ports/clock.ts";
import { createIds } from "../ports/ids.ts";
import { consoleLogger, guardLogger } from "../ports/logger.ts";
import { systemRandom } from "../ports/random.ts";
import type { BlobStore } from "../ports/storage/blob-store.ts";
import { builtins, keyedServices } from "./builtins.ts";
import { readConfig } from "./config.ts";
import type { SignalboxOptions } from "./signalbox-options.ts";

/** Checks the host's options and assembles the parts of an engine. Throws as `createSignalbox` does. */
export function assemble<Plugins extends readonly Plugin[]>(options: SignalboxOptions<Plugins>): Cradle {
  const tooOld = nodeFault(process.versions.node);
  if (tooOld !== undefined) throw new OptionError(tooOld);
  checkOptions("createSignalbox", options, RULES as OptionRules<SignalboxOptions<Plugins>>);
  const secretKeys = secretKeysOf(options);
  const { clock = systemClock, random = systemRandom() } = options;
  const { blobs = options.storage.blobs } = options;
  const host: Plugin[] = options.events ? [{ id: "host", hostEvents: options.events }] : [];
  const registry = createRegistry([...builtins, ...(options.plugins ?? []), ...host]);
  const { config, source: configSource, warnings: ofConfig } = readConfig(options.config, registry.plugins);
  const container = buildContainer({
    registry,
    config,
    configSource,
    keyedServices,
    signingKeys: createSigningKeys(secretKeys),
    keyProvider: options.keyProvider ?? { keys: async () => secretKeys },
    administratorKey: options.administratorKey,
    administratorPassword: options.administratorPassword,
    verifyPassword: options.verifyPassword,
    storage: options.storage,
    blobs: blobs ?? memoryBlobStore({ clock }),
    codeVersion: readCodeVersion(options.codeVersion) ?? codeVersionOf(registry, options.plugins ?? []),
    warnings: [...ofConfig, ...warningsOf(options, blobs)],
    agents: [options.agents ?? []].flat(),
    mailer: options.mailer,
    webHookClient: options.webHooks,
    processes: options.processes,
    secretLog: options.secretLog,
    logFiles: options.logFiles,
    documents: options.documents,
    tracer: options.tracer,
    clock,
    random,
    fetch: options.fetch ?? globalThis.fetch,
    ids: options.ids ?? createIds({ clock, random }),
    log: guardLogger(options.log ?? consoleLogger),
  });
  return container.cradle;
}

/** Throws `Error` for an invalid version. */
function readCodeVersion(given: string | undefined): string | undefined {
  if (given !== undefined && !(typeof given === "string" && /^[\w\-.:/+=@]{1,64}$/.test(given)))
    throw new Error("codeVersion has up to 64 letters, digits and _-.:/+=@");
  return given;
}

const agentRule = requiredPart("localAgent()", "start", "stop");

/** A list of results of `defineEvent` and `defineWorkflow` with unique ids. */
const eventsRule: OptionRule = (value, isThere) => {
  const complaint = optionalList(value, isThere);
  if (complaint !== undefined || value === undefined) return complaint;
  const ids = (value as readonly unknown[]).map((event) =>
    isObject(event) && "record" in event ? event["id"] : undefined,
  );
  const none = ids.indexOf(undefined);
  if (none >= 0) return `has no event at place ${none + 1}: give what defineEvent({ id, title, run }) makes`;
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  return twice === undefined ? undefined : `has two events with the id ${String(twice)}: give each its own`;
};

/** Refuses unknown options: a misspelt one would silently be missing (no blob store, no mailer, a random administrator key). */
const RULES: OptionRules<SignalboxOptions<readonly Plugin[]>> = {
  storage: requiredPart('sqliteStorage({ filename: "ops.sqlite" })', "open", "read", "write"),
  secretKey: optional,
  secretKeys: optional,
  // Without a provider, the key that signs tokens also seals secrets.
  keyProvider: given,
  plugins: optionalList,
  events: eventsRule,
  agents: (value) =>
    [value ?? []]
      .flat()
      .map((each) => agentRule(each, true))
      .find((complaint) => complaint !== undefined),
  blobs: optionalPart('fsBlobStore("ops.blobs")', "put", "get", "delete"),
  mailer: optionalPart('smtpMailer({ server: "smtp://…" })', "send"),
  webHooks: optionalPart("fetchWebHookClient()", "send"),
  processes: optionalPart("nodeProcesses()", "start"),
  config: optional,
  administratorKey: optional,
  administratorPassword: optional,
  verifyPassword: optional,
  log: optional,
  logFiles: optional,
  documents: optional,
  secretLog: optional,
  tracer: optionalPart("openTelemetry({ trace, context })", "start", "active", "within"),
  clock: optional,
  random: optional,
  fetch: optional,
  codeVersion: optional,
  ids: optional,
};

const FORGETFUL =
  "No blob store was given: files and the output of jobs are kept in the memory of this process and are gone after a restart.";

const IDLE =
  "Events are given and no agent: this program runs none of their jobs. Give agents: localAgent() of @signalbox/adapters/local-agent, unless another node runs them.";

/** Warnings about parts that the host left out. */
function warningsOf(
  { agents = [], events = [] }: SignalboxOptions<readonly Plugin[]>,
  blobs: BlobStore | undefined,
): readonly string[] {
  const runsNothing = events.length > 0 && [agents].flat().length === 0;
  return [...(blobs ? [] : [FORGETFUL]), ...(runsNothing ? [IDLE] : [])];
}

type KeyOptions = Pick<SignalboxOptions<readonly Plugin[]>, "keyProvider" | "secretKey" | "secretKeys">;

const SHORT_KEY =
  "must have at least 16 characters: make one with `node -p \"crypto.randomBytes(32).toString('base64url')\"` and keep it, since what is sealed with it cannot be opened without.";

/** Throws `OptionError` for a key that is missing or short. */
function secretKeysOf({ keyProvider, secretKey, secretKeys = [] }: KeyOptions): readonly string[] {
  if (secretKey !== undefined && secretKeys.length > 0) throw new OptionError("Give either secretKey or secretKeys");
  // The provider supplies the keys at the start.
  if (keyProvider?.keep && secretKey === undefined && secretKeys.length === 0) return [];
  const [current = secretKey, ...previous] = secretKeys;
  for (const key of [current, ...previous])
    if (typeof key !== "string" || key.length < 16) throw new OptionError(`secretKey ${SHORT_KEY}`);
  return [current as string, ...previous];
}
