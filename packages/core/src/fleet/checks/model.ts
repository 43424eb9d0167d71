import * as z from "zod";
import { Flag, Id, Title } from "../../wire/fields/fields.ts";
import { updateMembers } from "../../wire/fields/revision.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import type { Filled } from "../../wire/schemas/filled.ts";
import { looseObject, object } from "../../wire/schemas/objects.ts";
import { shownMembers, shownRequired } from "../../wire/schemas/shown-members.ts";
import { SEVERITIES } from "../alerts/rules/definition/severity.ts";
import type { SeriesPlace } from "../monitors/model.ts";

const Header = object(() => ({ name: z.string(), value: z.string() }));

/** Types of DNS records that a check may ask for. */
export const DNS_RECORDS = ["A", "AAAA", "CNAME", "MX", "NS", "TXT", "SOA"] as const;
/** Protocols that upgrade a plain connection to TLS. */
export const STARTTLS = ["none", "smtp", "imap"] as const;

export const TYPES = ["http", "tcp", "dns", "tls"] as const;

/** An address that is probed at a regular interval (docs/contract/monitors.md#checks). Ours. */
export const Check = looseObject(() => ({
  id: Id,
  title: z.string(),
  /** Falsy = the check is paused. */
  enabled: Flag.nullish(),
  category: z.string(),
  tags: z.array(z.string()).nullish(),
  /** Id of the server that this check watches. */
  server: z.string().nullish(),
  /** Severity of alerts that fire on this check; overrides the severity of the alert. */
  severity: z.enum(SEVERITIES).nullish(),
  /** Immutable. */
  type: z.enum(TYPES),
  /** Places that the check runs from: "engine", ids of servers, ids of groups; absent = the engine. */
  from: z.array(z.string()).nullish(),
  /** Number of places with a fresh result that must fail; absent = a majority. */
  agree: z.number().nullish(),
  /** Seconds. */
  every: z.number().nullish(),
  timeout: z.number().nullish(),
  /** Consecutive failures that are tolerated, and seconds from one of them to the next probe. */
  retries: z.number().nullish(),
  retry_every: z.number().nullish(),
  /** Most milliseconds that an answer may take; absent = the timeout. */
  max_ms: z.number().nullish(),
  /** Text that the answer must contain, and text that it must not contain. */
  contains: z.string().nullish(),
  not_contains: z.string().nullish(),
  /** For "http". */
  url: z.string().nullish(),
  method: z.enum(["GET", "HEAD", "POST"]).nullish(),
  headers: z.array(Header).nullish(),
  body: z.string().nullish(),
  /** Accepted statuses: "200-399", "404". */
  status: z.array(z.union([z.string(), z.number()])).nullish(),
  follow: Flag.nullish(),
  /** For "http" and "tls": whether the certificate must be trusted, and how many days before its expiry to warn. */
  verify: Flag.nullish(),
  warn_days: z.number().nullish(),
  crit_days: z.number().nullish(),
  /** For "tcp" and "tls". */
  host: z.string().nullish(),
  port: z.number().nullish(),
  /** For "tcp": text to send first. */
  send: z.string().nullish(),
  /** For "tls". */
  servername: z.string().nullish(),
  starttls: z.enum(STARTTLS).nullish(),
  /** For "dns": name, record type, and the DNS server to ask; absent = the DNS servers of this machine. */
  name: z.string().nullish(),
  record: z.enum(DNS_RECORDS).nullish(),
  resolver: z.string().nullish(),
  /** Values that the answer must contain: all of them, or any. */
  equals: z.array(z.string()).nullish(),
  match: z.enum(["all", "any"]).nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  ...stampFields,
}));
export type StoredCheck = z.infer<typeof Check>;
/** Values that stand in for members of a check that are `null` or absent. */
export const CHECK_DEFAULTS = { every: 60, timeout: 10, retries: 2, warn_days: 21, crit_days: 7 } as const;
/** A check with its defaults filled in, as rules read it. */
export type Check = Filled<StoredCheck, keyof typeof CHECK_DEFAULTS>;

/** Further members are checked by `checkFault`, whose errors carry the domain's code. */
const further = {
  ...shownMembers(Check, ["enabled", "category", "tags", "server", "severity", "from", "agree", "every", "timeout"]),
  ...shownMembers(Check, [
    "retries",
    "retry_every",
    "max_ms",
    "contains",
    "not_contains",
    "url",
    "method",
    "headers",
    "body",
  ]),
  ...shownMembers(Check, ["status", "follow", "verify", "warn_days", "crit_days", "host", "port", "send"]),
  ...shownMembers(Check, ["servername", "starttls", "name", "record", "resolver", "equals", "match", "icon", "notes"]),
};
export const CreateCheck = looseObject(() => ({
  id: Id.optional(),
  title: Title,
  type: shownRequired(z.enum(TYPES)),
  ...further,
}));
export type CreateCheck = z.infer<typeof CreateCheck>;
export const UpdateCheck = looseObject(() => ({ ...updateMembers, ...further }));

/** Why a check failed. */
const REASONS = [
  ...(["timeout", "refused", "dns", "tls", "status", "content", "slow", "blocked", "answer"] as const),
] as const;

/** Result of one probe. */
export const CheckResult = object(() => ({
  /** Unix seconds. */
  date: z.number(),
  /** Id of the server that probed; absent = the engine. */
  from: z.string().optional(),
  ok: z.boolean(),
  ms: z.number(),
  /** Address that was probed, if known. */
  address: z.string().optional(),
  /** HTTP status; absent = there was no answer. */
  status: z.number().optional(),
  /** Whole days until the certificate expires; absent = no certificate. */
  days_left: z.number().optional(),
  reason: z.enum(REASONS).optional(),
  /** One sentence that explains a failure. */
  text: z.string().optional(),
}));
export type CheckResult = z.infer<typeof CheckResult>;
export type KeptResult = CheckResult & { id: string };

const placeMembers = {
  /** "engine", or the id of a server. */
  place: z.string(),
  /** Consecutive failures. */
  failures: z.number(),
  /** True once there were more consecutive failures than `retries`. */
  down: z.boolean(),
  /** Absent = no result has come from this place yet. */
  latest: CheckResult.optional(),
  /** Why this place sends no results. */
  note: z.string().optional(),
};

/** State of a check as seen from one place. */
export const CheckPlace = object(() => ({
  ...placeMembers,
  /** False when the latest result of the place is too old, so that the place is not counted. */
  fresh: z.boolean(),
}));
export type PlaceState = Readonly<Omit<z.infer<typeof CheckPlace>, "fresh">>;

/** State of a check; its id is the id of the check. */
export interface CheckState {
  id: string;
  /** Unix seconds of the engine's next probe. */
  readonly next: number;
  /**
   * Over all places, as of the last result: the most consecutive failures of any place, and whether enough places are
   * down.
   */
  readonly failures: number;
  readonly down: boolean;
  readonly count: number;
  readonly latest?: CheckResult;
  /** Absent in states written by an older release, in which only the engine probed. */
  readonly places?: readonly PlaceState[];
  /** End of the check's timeline. */
  readonly series?: SeriesPlace;
}

/** Claim of a node on one turn of a check; its id is the id of the check. */
export interface Claim {
  id: string;
  /** Unix seconds. */
  readonly turn: number;
  readonly node: string;
  /** Unix milliseconds of the clock that all nodes share; from then on another node may take over the turn. */
  readonly untilMs: number;
}

/** State of the engine's network, as its checks see it. */
export interface NetworkSight {
  /** Number of public hosts that were probed in the last minutes. */
  readonly hosts: number;
  /** True when there were at least three such hosts and none could be reached. */
  readonly all_failed: boolean;
}

/** Values of a check that alert expressions read (docs/contract/alerts.md#checks). */
export interface CheckSight extends Readonly<Record<string, unknown>> {
  readonly network: NetworkSight;
  readonly check: Readonly<Partial<Omit<CheckResult, "date" | "from">>> & {
    readonly id: string;
    readonly title: string;
    readonly category: string;
    readonly tags: readonly string[];
    readonly down: boolean;
    readonly failures: number;
    /** Number of places with a fresh result, and how many of them failed. */
    readonly vantages: number;
    readonly failed: number;
    /** Names of the failing places. */
    readonly where: string;
    readonly warn_days: number;
    readonly crit_days: number;
    /** Unix seconds of the last result. */
    readonly last?: number | undefined;
  };
}
