import {
  type Clock,
  checkOptions,
  createIds,
  given,
  type IdGenerator,
  isUnasked,
  type Logger,
  type OptionRule,
  type OptionRules,
  optional,
  optionalFlag,
  optionalOneOf,
  optionalText,
  optionalWhole,
  requiredPart,
  systemClock,
  systemRandom,
} from "@signalbox/core/adapter";
import { createTrust, type Trust } from "./addresses.ts";
import { type AnswerRoom, createAnswerRoom } from "./answer-room.ts";
import { type BodyPool, createBodyPool } from "./body-pool.ts";
import type { Engine, RouterOptions } from "./options.ts";
import { createParsingTurns, type ParsingTurns } from "./parsing-turns.ts";
import { HELD_TIMES } from "./read-body.ts";
import { createSpareBuffer, type SpareBuffer } from "./spare-buffer.ts";

/** Values that are the same for all requests, worked out once. */
export interface Settings {
  readonly engine: Engine;
  readonly options: RouterOptions;
  readonly apiBase: string;
  readonly cors: "compat" | "host";
  readonly trust: Trust;
  /** Headers whose addresses are believed, names in lower case. */
  readonly addressHeaders: ReadonlySet<string>;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly log: Logger;
  /** Whether refusals are logged; otherwise the facts about them need not be gathered. */
  readonly logsRefusals: boolean;
  /** Headers of every answer, from the configuration; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Limits;
  /** Room for bodies on their way. */
  readonly pool: BodyPool;
  /** Memory for long bodies. */
  readonly buffers: SpareBuffer;
  readonly turns: ParsingTurns;
  /** Room for long answers on their way. */
  readonly answers: AnswerRoom;
  /** Answers that are still being written; aborted when the engine stops. */
  readonly openStreams: Set<AbortController>;
  readonly traffic: Engine["traffic"];
  /** Whether an address may read the counters of traffic. */
  readonly mayReadStatus: Trust;
  /** Unix seconds at which the router was made. */
  readonly began: number;
  isStopping(): boolean;
  /** Callers are served, and should go elsewhere. */
  isDraining(): boolean;
}

export interface Limits {
  readonly jsonBytes: number;
  readonly uploadBytes: number;
  readonly files: number;
  readonly fields: number;
}

const path: OptionRule = (value, isThere) => (value === false ? undefined : optionalText(value, isThere));

const RULES: OptionRules<RouterOptions> = {
  apiBase: optionalText,
  healthPath: path,
  statusPath: path,
  metricsPath: path,
  monitorMetrics: optionalFlag,
  readyPath: path,
  statusFrom: optional,
  filesPath: path,
  openapi: optionalFlag,
  cors: optionalOneOf("compat", "host"),
  compress: optionalFlag,
  // Without it callers are judged by their credentials alone, and by the address of the proxy.
  resolveUser: given,
  clientAddress: given,
  log: optional,
  clock: optional,
  random: optional,
  maxFiles: optionalWhole,
  maxFields: optionalWhole,
};

/**
 * Throws `Error` for a malformed entry of `api.trusted_proxies`, `TypeError` for a malformed header or base path, or
 * an unknown option.
 */
export function createSettings(engine: Engine, options: RouterOptions): Settings {
  checkEngine(engine);
  checkOptions("createRouter", options, RULES);
  const { config } = engine;
  const { clock = systemClock, random = systemRandom(), log = engine.log, apiBase = "/api" } = options;
  if (!/^(?:\/[^/]+)+$/.test(apiBase)) throw new TypeError(`apiBase must look like "/api", not "${apiBase}"`);
  const openStreams = new Set<AbortController>();
  const jsonBytes = Math.min(config.api.max_json_size, config.WebServer.max_upload_size);
  const memory = config.api.max_body_memory;
  const { server_signature: signature, response_headers: headers, max_upload_size: uploadBytes } = config.WebServer;
  return {
    engine,
    options,
    apiBase,
    cors: options.cors ?? config.api.cors,
    trust: createTrust(config.api.trusted_proxies),
    addressHeaders: new Set(config.api.address_headers),
    clock,
    ids: createIds({ clock, random }),
    log,
    // Callers could fill the console of a host that has asked for no log.
    logsRefusals: !isUnasked(log),
    headers: checkedHeaders({ ...headers, ...(signature ? { Server: signature } : {}) }),
    limits: {
      jsonBytes,
      uploadBytes,
      files: options.maxFiles ?? 1000,
      fields: options.maxFields ?? 1000,
    },
    pool: createBodyPool(clock, { short: memory / 2, long: Math.max(memory, HELD_TIMES * jsonBytes) }),
    buffers: createSpareBuffer(),
    turns: createParsingTurns(),
    answers: createAnswerRoom(memory),
    openStreams,
    traffic: engine.traffic,
    mayReadStatus: createTrust(options.statusFrom ?? ["loopback"], "statusFrom"),
    began: clock.now(),
    ...watchEnd(engine, openStreams),
  };
}

const isEngine = requiredPart("createSignalbox({ storage, secretKey })", "dispatch", "admit");

/** Throws `TypeError` for anything but an engine of `createSignalbox`. */
function checkEngine(engine: Engine): void {
  const complaint = isEngine(engine, true);
  if (complaint !== undefined) throw new TypeError(`createRouter: the engine ${complaint}`);
}

const NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Checks headers by the rules of HTTP: Node's own checks would load all of its server or client first, which takes 20
 * ms.
 */
function checkedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  for (const [name, value] of Object.entries(headers))
    if (!NAME.test(name) || !VALUE.test(value))
      throw new TypeError(`WebServer.response_headers: ${JSON.stringify(name)} is no header that can be sent`);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Ends long streams with the engine, so that their callers go elsewhere. */
function watchEnd({ events }: Engine, openStreams: ReadonlySet<AbortController>) {
  let stopping = false;
  let draining = false;
  events.on("signalbox.draining", () => {
    draining = true;
  });
  events.on("signalbox.stopping", () => {
    stopping = true;
    for (const stream of openStreams) stream.abort();
  });
  return { isStopping: () => stopping, isDraining: () => draining };
}
