import { isObject } from "../../../lib/json/is-object.ts";
import {
  type Check as IsGood,
  isFlag,
  isIdList,
  isOneOf,
  isText,
  isWithin,
  orAbsent,
} from "../../../wire/fields/checks.ts";
import { type NewStamp, newStamps } from "../../../wire/fields/stamps.ts";
import { createFill, filled } from "../../../wire/schemas/filled.ts";
import { isSeverity } from "../../alerts/rules/definition/severity.ts";
import {
  CHECK_DEFAULTS,
  type Check,
  type CreateCheck,
  DNS_RECORDS,
  STARTTLS,
  type StoredCheck,
  TYPES,
} from "../model.ts";
import { isAskedElsewhere, MOST_PLACES } from "./places.ts";
import { hasSecrets } from "./secret-texts.ts";

const MAX_URL = 2000;
const MAX_WORD = 1000;
const MAX_ENTRIES = 20;
const MAX_BODY = 16_384;
const MAX_NAME = 253;
/** Seconds between two minutes of a satellite. */
const SATELLITE_SEC = 60;

function isUrl(value: unknown): boolean {
  if (typeof value !== "string" || value.length > MAX_URL) return false;
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

const RANGE = /^([1-5]\d\d)(?:-([1-5]\d\d))?$/;
const isRange = (value: unknown): boolean => {
  const [, from, to = from] = RANGE.exec(String(value)) ?? [];
  return (typeof value === "string" || typeof value === "number") && from !== undefined && Number(from) <= Number(to);
};
const isWord: IsGood = (value) => typeof value === "string" && value.length <= MAX_WORD;
const isListOf =
  (isGood: IsGood): IsGood =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.length <= MAX_ENTRIES && value.every(isGood);
/** A name or an address. The address that a name resolves to is judged at the time of the probe. */
const isHost: IsGood = (value) => typeof value === "string" && value.length <= MAX_NAME && /^[\w.:-]+$/.test(value);
const isResolver: IsGood = (value) =>
  typeof value === "string" && value.length <= MAX_NAME && /^[\w.:[\]-]+$/.test(value);
const isHeader: IsGood = (value) => isObject(value) && isWord(value["name"]) && isWord(value["value"]);
const isPort = isWithin(1, 65_535);

const FIELDS: Readonly<Record<string, IsGood>> = {
  title: isText,
  enabled: orAbsent(isFlag),
  category: isText,
  tags: orAbsent(isIdList),
  server: orAbsent(isText),
  severity: orAbsent(isSeverity),
  type: isOneOf(TYPES),
  from: orAbsent((value) => isIdList(value) && isWithin(1, MOST_PLACES)(new Set(value as string[]).size)),
  agree: orAbsent(isWithin(1, MOST_PLACES)),
  every: orAbsent(isWithin(10, 86_400)),
  timeout: orAbsent(isWithin(1, 30)),
  retries: orAbsent(isWithin(0, 10)),
  retry_every: orAbsent(isWithin(5, 86_400)),
  max_ms: orAbsent(isWithin(1, 30_000)),
  contains: orAbsent(isWord),
  not_contains: orAbsent(isWord),
  url: orAbsent(isUrl),
  method: orAbsent(isOneOf(["GET", "HEAD", "POST"])),
  headers: orAbsent((value) => Array.isArray(value) && value.length <= MAX_ENTRIES && value.every(isHeader)),
  body: orAbsent((value) => typeof value === "string" && value.length <= MAX_BODY),
  status: orAbsent(isListOf(isRange)),
  follow: orAbsent(isFlag),
  verify: orAbsent(isFlag),
  warn_days: orAbsent(isWithin(0, 3650)),
  crit_days: orAbsent(isWithin(0, 3650)),
  host: orAbsent(isHost),
  port: orAbsent(isPort),
  send: orAbsent(isWord),
  servername: orAbsent(isHost),
  starttls: orAbsent(isOneOf(STARTTLS)),
  name: orAbsent(isHost),
  record: orAbsent(isOneOf(DNS_RECORDS)),
  resolver: orAbsent(isResolver),
  equals: orAbsent(isListOf(isWord)),
  match: orAbsent(isOneOf(["all", "any"])),
  icon: orAbsent(isText),
  notes: orAbsent(isText),
};

type Members = Readonly<Record<string, unknown>>;

/** Required members of each type of check. */
const NEEDED: Readonly<Record<Check["type"], readonly string[]>> = {
  http: ["url", "method", "status"],
  tcp: ["host", "port"],
  dns: ["name", "record"],
  tls: ["host", "port", "starttls"],
};

/** Members that only some types have. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  url: ["http"],
  method: ["http"],
  headers: ["http"],
  body: ["http"],
  status: ["http"],
  follow: ["http"],
  not_contains: ["http"],
  contains: ["http", "tcp"],
  verify: ["http", "tls"],
  host: ["tcp", "tls"],
  port: ["tcp", "tls"],
  send: ["tcp"],
  servername: ["tls"],
  starttls: ["tls"],
  name: ["dns"],
  record: ["dns"],
  resolver: ["dns"],
  equals: ["dns"],
  match: ["dns"],
};

/** The sentence with which a check is refused; undefined when it can be stored. */
export function checkFault(stored: Members): string | undefined {
  const bad = Object.keys(FIELDS).find((name) => !FIELDS[name]?.(stored[name]));
  if (bad) return `Invalid value for ${bad}`;
  const check: Members = readCheck(stored as StoredCheck);
  const field = missing(check) ?? foreign(check) ?? tooLong(check) ?? uneven(check);
  return field ? `Invalid value for ${field}` : secretFault(check as Check);
}

/** Satellites run checks once a minute, so `every` must be a multiple of that. */
const uneven = (check: Members): string | undefined =>
  isAskedElsewhere(check as Check) && Number(check["every"]) % SATELLITE_SEC !== 0 ? "every" : undefined;

/** Values of secrets must not leave the engine for a script on another machine. */
const secretFault = (check: Check): string | undefined =>
  isAskedElsewhere(check) && hasSecrets(check) ? "A check with secrets is asked from the engine alone." : undefined;

/** The first member that belongs to another type: it would be stored and never read. */
const foreign = (check: Members): string | undefined =>
  Object.keys(OWN).find((name) => (check[name] ?? null) !== null && !OWN[name]?.includes(String(check["type"])));

const missing = (check: Members): string | undefined =>
  NEEDED[check["type"] as Check["type"]].find((name) => check[name] === undefined || check[name] === null);

/** A probe must end before the next one is due. */
const tooLong = ({ every, timeout, retry_every }: Members): string | undefined =>
  Number(timeout) >= Number(every) ? "timeout" : Number(retry_every ?? 0) > Number(every) ? "retry_every" : undefined;

const OF_TYPE = {
  http: { method: "GET", status: ["200-399"], follow: true, verify: true },
  tcp: {},
  dns: { record: "A" },
  tls: { port: 443, starttls: "none", verify: true },
} as const satisfies Record<Check["type"], object>;

const defaultsOf = (type: Check["type"] | undefined): typeof CHECK_DEFAULTS => ({
  ...CHECK_DEFAULTS,
  ...(type && OF_TYPE[type]),
});

const CATEGORY = "general";

const fillFor = (type: Check["type"]) => createFill<StoredCheck, typeof CHECK_DEFAULTS>(defaultsOf(type));
const FILLS = { http: fillFor("http"), tcp: fillFor("tcp"), dns: fillFor("dns"), tls: fillFor("tls") };

const fillOther = createFill<StoredCheck, typeof CHECK_DEFAULTS>(CHECK_DEFAULTS);

/**
 * Fills in the defaults of a stored check. An import may have left an unknown type, which must not keep other checks
 * from being read.
 */
export const readCheck = (stored: StoredCheck): Check =>
  (Object.hasOwn(FILLS, stored.type) ? FILLS[stored.type] : fillOther)(stored);

/** Members that a form sends as empty texts when they are not wanted. */
const CHOSEN = ["server", "severity", "send", "servername", "resolver", "contains", "not_contains"] as const;

/**
 * Turns empty texts and an empty `from` into `null`. A `category` of `null` becomes the default one: access to a check
 * is decided by its category.
 */
export const readChosen = <T extends Members>(sent: T): T => ({
  ...sent,
  ...(sent["category"] === null ? { category: CATEGORY } : {}),
  ...(Array.isArray(sent["from"]) && sent["from"].length === 0 ? { from: null } : {}),
  ...Object.fromEntries(CHOSEN.flatMap((name) => (sent[name] === "" ? [[name, null]] : []))),
});

export const newCheck = (input: CreateCheck, stamp: NewStamp): Check => {
  const stamps = { id: stamp.id, ...newStamps(stamp.username, stamp.now) };
  const type = TYPES.find((each) => each === input.type);
  const defaults = { ...defaultsOf(type), enabled: true, category: CATEGORY };
  return { ...filled(readChosen(input), defaults), ...stamps } as Check;
};

/** True when a status is in one of the ranges. */
export const isStatusIn = (status: number, ranges: readonly (string | number)[]): boolean =>
  ranges.some((range) => {
    const [from = "", to = from] = String(range).split("-");
    return status >= Number(from) && status <= Number(to);
  });
