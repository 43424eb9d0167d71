import * as z from "zod";
import { Flag, Id, Title } from "../../wire/fields/fields.ts";
import { sentRevision } from "../../wire/fields/revision.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import type { Filled } from "../../wire/schemas/filled.ts";
import { looseObject, object } from "../../wire/schemas/objects.ts";
import { shownMembers, shownRequired } from "../../wire/schemas/shown-members.ts";
import { SEVERITIES } from "../alerts/rules/definition/severity.ts";
import type { SeriesPlace } from "../monitors/model.ts";

const Header = object(() => ({ name: z.string(), value: z.string() }));

/** Types of DNS records that a check may ask for. */
export const DNS_RECORDS = ["A", "AAAA", "CNAME", "MX", "NS", "TXT", "SOA"] as const;
/** Protocols that go over to TLS in the middle of a connection. */
export const STARTTLS = ["none", "smtp", "imap"] as const;

export const TYPES = ["http", "tcp", "dns", "tls"] as const;

/** An address that the engine asks again and again (docs/contract/monitors.md#checks). Ours. */
export const Check = looseObject(() => ({
  id: Id,
  title: z.string(),
  /** Falsy = not asked. */
  enabled: Flag.nullish(),
  category: z.string(),
  tags: z.array(z.string()).nullish(),
  /** Id of the server that is meant. */
  server: z.string().nullish(),
  /** Severity of alerts that fire on it, in place of their own. */
  severity: z.enum(SEVERITIES).nullish(),
  /** Immutable. */
  type: z.enum(TYPES),
  /** Places that it is asked from: "engine", ids of servers and of groups; absent = the engine. */
  from: z.array(z.string()).nullish(),
  /** Number of places with a fresh result that must fail; absent = most of them. */
  agree: z.number().nullish(),
  /** Seconds. */
  every: z.number().nullish(),
  timeout: z.number().nullish(),
  /** Failures in a row that are tolerated, and seconds from one of them to the next asking. */
  retries: z.number().nullish(),
  retry_every: z.number().nullish(),
  /** Milliseconds that an answer may take; absent = the timeout. */
  max_ms: z.number().nullish(),
  /** Text that the answer must hold, or must not. */
  contains: z.string().nullish(),
  not_contains: z.string().nullish(),
  /** Of "http". */
  url: z.string().nullish(),
  method: z.enum(["GET", "HEAD", "POST"]).nullish(),
  headers: z.array(Header).nullish(),
  body: z.string().nullish(),
  /** Accepted statuses: "200-399", "404". */
  status: z.array(z.union([z.string(), z.number()])).nullish(),
  follow: Flag.nullish(),
  /** Of "http" and "tls": the certificate must be trusted, and days before its end. */
  verify: Flag.nullish(),
  warn_days: z.number().nullish(),
  crit_days: z.number().nullish(),
  /** Of "tcp" and "tls". */
  host: z.string().nullish(),
  port: z.number().nullish(),
  /** Of "tcp": text that is sent first. */
  send: z.string().nullish(),
  /** Of "tls". */
  servername: z.string().nullish(),
  starttls: z.enum(STARTTLS).nullish(),
  /** Of "dns": name, type of record, and the server that is asked; absent = the servers of this machine. */
  name: z.string().nullish(),
  record: z.enum(DNS_RECORDS).nullish(),
  resolver: z.string().nullish(),
  /** Values that must be among the answer: all of them, or any. */
  equals: z.array(z.string()).nullish(),
  match: z.enum(["all", "any"]).nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  ...stampFields,
}));
export type StoredCheck = z.infer<typeof Check>;
/** Values of a check's members that are `null` or absent. */
export const CHECK_DEFAULTS = { every: 60, timeout: 10, retries: 2, warn_days: 21, crit_days: 7 } as const;
/** A check as it is read by rules. */
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
export const UpdateCheck = looseObject(() => ({
  id: Id,
  title: Title.optional(),
  if_revision: sentRevision,
  ...further,
}));

/** Why an answer was not as it should be. */
const REASONS = [
  ...(["timeout", "refused", "dns", "tls", "status", "content", "slow", "blocked", "answer"] as const),
] as const;

/** Result of asking once. */
export const CheckResult = object(() => ({
  /** Unix seconds. */
  date: z.number(),
  /** Id of the server that asked; absent = the engine. */
  from: z.string().optional(),
  ok: z.boolean(),
  ms: z.number(),
  /** Address that was asked, where it is known. */
  address: z.string().optional(),
  /** HTTP status; absent = there was no answer. */
  status: z.number().optional(),
  /** Whole days until the certificate ends; absent = there is none. */
  days_left: z.number().optional(),
  reason: z.enum(REASONS).optional(),
  /** One sentence about a failure. */
  text: z.string().optional(),
}));
export type CheckResult = z.infer<typeof CheckResult>;
export type KeptResult = CheckResult & { id: string };

const placeMembers = {
  /** "engine", or the id of a server. */
  place: z.string(),
  /** Failures in a row. */
  failures: z.number(),
  /** True after more failures than `retries`. */
  down: z.boolean(),
  /** Absent = nothing has come from there yet. */
  latest: CheckResult.optional(),
  /** Why nothing comes from there. */
  note: z.string().optional(),
};

/** State of a check at one place. */
export const CheckPlace = object(() => ({
  ...placeMembers,
  /** False for a place that is left out, as it has no result that is new enough. */
  fresh: z.boolean(),
}));
export type PlaceState = Readonly<Omit<z.infer<typeof CheckPlace>, "fresh">>;

/** State of a check; the id is the check's. */
export interface CheckState {
  id: string;
  /** Unix seconds of the next asking of the engine. */
  readonly next: number;
  /** Of all places together, when the last result came: the most failures in a row, and whether enough places are down. */
  readonly failures: number;
  readonly down: boolean;
  readonly count: number;
  readonly latest?: CheckResult;
  /** Absent = a state of a release before, when the engine alone asked. */
  readonly places?: readonly PlaceState[];
  /** End of its timeline. */
  readonly series?: SeriesPlace;
}

/** A node has taken a turn of a check; the id is the check's. */
export interface Claim {
  id: string;
  /** Unix seconds. */
  readonly turn: number;
  readonly node: string;
  /** Unix milliseconds of the clock of all nodes: then another node may take it over. */
  readonly untilMs: number;
}

/** The network of the engine, as its checks tell of it. */
export interface NetworkSight {
  /** Public ones that were asked within the last minutes. */
  readonly hosts: number;
  /** Three of them and more, and none could be reached. */
  readonly all_failed: boolean;
}

/** Values that expressions of alerts on checks read (docs/contract/alerts.md#checks). */
export interface CheckSight extends Readonly<Record<string, unknown>> {
  readonly network: NetworkSight;
  readonly check: Readonly<Partial<Omit<CheckResult, "date" | "from">>> & {
    readonly id: string;
    readonly title: string;
    readonly category: string;
    readonly tags: readonly string[];
    readonly down: boolean;
    readonly failures: number;
    /** Places with a fresh result, and how many of these failed. */
    readonly vantages: number;
    readonly failed: number;
    /** Names of the places that failed. */
    readonly where: string;
    readonly warn_days: number;
    readonly crit_days: number;
    /** Unix seconds of the last result. */
    readonly last?: number | undefined;
  };
}
