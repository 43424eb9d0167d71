import { membersOf } from "../../../../lib/json/is-object.ts";
import { parsedJson } from "../../../../lib/json/parsed-json.ts";
import type { Service } from "./names.ts";

export interface ServiceAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What an answer means for a notice. */
export interface Verdict {
  readonly isGood: boolean;
  /** Description without addresses and keys. */
  readonly description: string;
  /** Id of the message at the service. */
  readonly ref?: string | undefined;
  /** Seconds to wait before the next request. */
  readonly waitSec?: number | undefined;
  /** The same request would be refused again, although the status does not say so. */
  readonly isFinal?: boolean | undefined;
  /** New id of the chat, if it has changed. */
  readonly moved?: string | undefined;
}

type Members = Readonly<Record<string, unknown>>;

const MAX_WORDS = 200;
const words = (value: unknown): string => (typeof value === "string" ? value.slice(0, MAX_WORDS) : "");
const textOf = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;
const inside = (value: unknown): Members => (typeof value === "object" && value !== null ? (value as Members) : {});

interface Reading {
  /** The refusal in an answer with a successful status. */
  readonly refusal?: string | undefined;
  readonly ref?: string | undefined;
  /** Reason for a refusal. */
  readonly reason?: unknown;
  readonly waitSec?: unknown;
  readonly moved?: string | undefined;
}

const READINGS: Readonly<Record<Service, (members: Members) => Reading>> = {
  // Web hooks of Slack answer "ok", its API answers an object.
  slack: ({ ok, error, ts }) => ({ refusal: ok === false ? words(error) || "refused" : undefined, ref: textOf(ts) }),
  teams: () => ({}),
  discord: ({ id, message, retry_after }) => ({ ref: textOf(id), reason: message, waitSec: retry_after }),
  telegram({ ok, description, result, parameters }) {
    const { retry_after, migrate_to_chat_id } = inside(parameters);
    return {
      refusal: ok === false ? words(description) || "refused" : undefined,
      reason: description,
      ref: textOf(inside(result)["message_id"]),
      waitSec: retry_after,
      moved: textOf(migrate_to_chat_id),
    };
  },
  pagerduty: ({ message, errors }) => ({
    reason: Array.isArray(errors) ? `${message}: ${errors.join(", ")}` : message,
  }),
  opsgenie: ({ message, requestId }) => ({ reason: message, ref: textOf(requestId) }),
  ntfy: ({ error, id }) => ({ reason: error, ref: textOf(id) }),
  matrix: ({ errcode, error, event_id, retry_after_ms }) => ({
    reason: errcode === undefined ? error : `${words(errcode)} ${words(error)}`,
    ref: textOf(event_id),
    waitSec: typeof retry_after_ms === "number" ? Math.ceil(retry_after_ms / 1000) : undefined,
  }),
};

/** Refusals by Slack that a retry may overcome. */
const PASSING: ReadonlySet<string> = new Set(["ratelimited", "rate_limited", "internal_error", "fatal_error"]);
/** Seconds to wait for services that limit the rate without saying for how long. */
const PATIENCE: Readonly<Partial<Record<Service, number>>> = { pagerduty: 60 };
/** Maximum seconds of waiting that an answer may ask for. */
const MAX_WAIT_SEC = 300;

/** Reads the answer of a service in that service's form. */
export function readAnswer(service: Service, answer: ServiceAnswer): Verdict {
  const { status, statusText, headers } = answer;
  const { refusal, ref, reason, waitSec, moved } = READINGS[service](membersOf(parsedJson(answer.body)));
  const line = `HTTP ${status} ${statusText}`.trim();
  const isGood = status >= 200 && status < 300 && refusal === undefined;
  if (isGood) return { isGood, description: `Success (${line})`, ref };
  const why = refusal ?? words(reason);
  const isFinal = refusal !== undefined && status < 300 && !PASSING.has(refusal);
  const asked =
    secondsOf(waitSec) ??
    secondsOf(headerOf(headers, "retry-after")) ??
    (status === 429 ? PATIENCE[service] : undefined);
  return {
    isGood,
    description: why === "" ? line : `${line}: ${why}`,
    isFinal,
    moved,
    waitSec: asked === undefined ? undefined : Math.min(asked, MAX_WAIT_SEC),
  };
}

function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === "string" ? Number.parseFloat(value) : value;
  return typeof seconds === "number" && seconds > 0 ? Math.ceil(seconds) : undefined;
}

const headerOf = (headers: ServiceAnswer["headers"], name: string): string | undefined =>
  Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
