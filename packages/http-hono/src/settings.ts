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
import { type AnswerRoom, createAnswerRoom } from "./answer/answer-room.ts";
import { type BodyPool, createBodyPool } from "./body/body-pool.ts";
import { HELD_TIMES } from "./body/read-body.ts";
import { createSpareBuffer, type SpareBuffer } from "./body/spare-buffer.ts";
import { createTrust, type Trust } from "./caller/addresses.ts";
import { createParsingTurns, type ParsingTurns } from "./json/parsing-turns.ts";
import type { Engine, RouterOptions } from "./options.ts";

/** Values of the configuration that administrators may change while the engine is running. */
interface Following {
  readonly cors: "compat" | "host";
  readonly trust: Trust;
  /** Lower-case names of the headers whose addresses are trusted. */
  readonly addressHeaders: ReadonlySet<string>;
  /** Headers of every answer, from the configuration; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Limits;
}

/** Values that are the same for all requests, computed once and whenever the configuration changes. */
export interface Settings extends Following {
  readonly engine: Engine;
  readonly options: RouterOptions;
  readonly apiBase: string;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly log: Logger;
  /** Whether refusals are logged; otherwise no data about them is collected. */
  readonly logsRefusals: boolean;
  /** Room for bodies that are being received. */
  readonly pool: BodyPool;
  /** Memory for long bodies. */
  readonly buffers: SpareBuffer;
  readonly turns: ParsingTurns;
  /** Room for long answers that are being sent. */
  readonly answers: AnswerRoom;
  /** Answers that are still being written; aborted when the engine stops. */
  readonly openStreams: Set<AbortController>;
  readonly traffic: Engine["traffic"];
  /** Whether an address may read the counters of traffic. */
  readonly mayReadStatus: Trust;
  /** Unix seconds at which the router was made. */
  readonly began: number;
  isStopping(): boolean;
  /** Callers are still served, but should go elsewhere. */
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
  // Without the first, only credentials identify callers; without the second, all of them have the address of the proxy.
  resolveUser: given,
  clientAddress: given,
  log: optional,
  clock: optional,
  random: optional,
  maxFiles: optionalWhole,
  maxFields: optionalWhole,
};

/**
 * Throws `TypeError` for a malformed base path or an unknown option.
 */
export function createSettings(engine: Engine, options: RouterOptions): Settings {
  checkEngine(engine);
  checkOptions("createRouter", options, RULES);
  const { config } = engine;
  const { clock = systemClock, random = systemRandom(), log = engine.log, apiBase = "/api" } = options;
  if (!/^(?:\/[^/]+)+$/.test(apiBase)) throw new TypeError(`apiBase must look like "/api", not "${apiBase}"`);
  const openStreams = new Set<AbortController>();
  const memory = config.api.max_body_memory;
  const room = { short: memory / 2, long: roomOf(config) };
  const settings: Settings = {
    ...following(config, options),
    engine,
    options,
    apiBase,
    clock,
    ids: createIds({ clock, random }),
    log,
    // If the host has not asked for a log, callers could fill its console.
    logsRefusals: !isUnasked(log),
    pool: createBodyPool(clock, room),
    buffers: createSpareBuffer(),
    turns: createParsingTurns(),
    answers: createAnswerRoom(memory),
    openStreams,
    traffic: engine.traffic,
    mayReadStatus: createTrust(options.statusFrom ?? ["loopback"], "statusFrom"),
    began: clock.now(),
    ...watchEnd(engine, openStreams),
  };
  engine.events.on("config.changed", () => {
    Object.assign(settings, following(config, options));
    room.long = roomOf(config);
  });
  return settings;
}

function following({ api, WebServer }: Engine["config"], options: RouterOptions): Following {
  const { server_signature: signature, response_headers: headers, max_upload_size: uploadBytes } = WebServer;
  return {
    cors: options.cors ?? api.cors,
    trust: createTrust(api.trusted_proxies),
    addressHeaders: new Set(api.address_headers),
    headers: lowerCased({ ...headers, ...(signature ? { Server: signature } : {}) }),
    limits: {
      jsonBytes: jsonBytesOf(api, uploadBytes),
      uploadBytes,
      files: options.maxFiles ?? 1000,
      fields: options.maxFields ?? 1000,
    },
  };
}

const jsonBytesOf = ({ max_json_size }: Engine["config"]["api"], uploadBytes: number): number =>
  Math.min(max_json_size, uploadBytes);

/** Most bytes of long bodies held at once; a single one always has room. */
const roomOf = ({ api, WebServer }: Engine["config"]): number =>
  Math.max(api.max_body_memory, HELD_TIMES * jsonBytesOf(api, WebServer.max_upload_size));

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const isEngine = requiredPart("createSignalbox({ storage, secretKey })", "dispatch", "admit");

/** Throws `TypeError` for anything but an engine of `createSignalbox`. */
function checkEngine(engine: Engine): void {
  const complaint = isEngine(engine, true);
  if (complaint !== undefined) throw new TypeError(`createRouter: the engine ${complaint}`);
}

/** Ends long streams when the engine stops, so that their callers go elsewhere. */
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
