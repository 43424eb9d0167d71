import { expect, test } from "vitest";
import { readAnswer, type ServiceAnswer, type Verdict } from "./answers.ts";
import type { Service } from "./names.ts";

const of = (
  status: number,
  statusText: string,
  body: unknown,
  headers: Record<string, string> = {},
): ServiceAnswer => ({
  ...{ status, statusText, headers },
  body: typeof body === "string" ? body : JSON.stringify(body),
});

// Answers as in the documentation of each service.
test.each<[Service, ServiceAnswer, Partial<Verdict>]>([
  ["slack", of(200, "OK", "ok"), { isGood: true, description: "Success (HTTP 200 OK)" }],
  [
    "slack",
    of(200, "OK", { ok: true, channel: "C123", ts: "1503435956.000247" }),
    { isGood: true, ref: "1503435956.000247" },
  ],
  [
    "slack",
    of(200, "OK", { ok: false, error: "channel_not_found" }),
    { isGood: false, isFinal: true, description: "HTTP 200 OK: channel_not_found" },
  ],
  [
    "slack",
    of(200, "OK", { ok: false, error: "ratelimited" }, { "Retry-After": "30" }),
    { isGood: false, isFinal: false, waitSec: 30 },
  ],
  ["slack", of(404, "Not Found", "no_service"), { isGood: false, description: "HTTP 404 Not Found" }],
  ["teams", of(202, "Accepted", ""), { isGood: true }],
  ["teams", of(429, "Too Many Requests", "", { "retry-after": "7" }), { isGood: false, waitSec: 7 }],
  ["teams", of(400, "Bad Request", { error: { code: "TriggerInputSchemaMismatch" } }), { isGood: false }],
  ["discord", of(200, "OK", { id: "1100", type: 0, content: "" }), { isGood: true, ref: "1100" }],
  [
    "discord",
    of(429, "Too Many Requests", { message: "You are being rate limited.", retry_after: 64.57, global: false }),
    { isGood: false, waitSec: 65, description: "HTTP 429 Too Many Requests: You are being rate limited." },
  ],
  [
    "discord",
    of(404, "Not Found", { message: "Unknown Webhook", code: 10_015 }),
    { isGood: false, description: "HTTP 404 Not Found: Unknown Webhook" },
  ],
  [
    "telegram",
    of(200, "OK", { ok: true, result: { message_id: 42, chat: { id: -100 } } }),
    { isGood: true, ref: "42" },
  ],
  [
    "telegram",
    of(429, "Too Many Requests", {
      ok: false,
      error_code: 429,
      description: "Too Many Requests: retry after 5",
      parameters: { retry_after: 5 },
    }),
    { isGood: false, waitSec: 5 },
  ],
  [
    "telegram",
    of(400, "Bad Request", {
      ok: false,
      error_code: 400,
      description: "Bad Request: group chat was upgraded to a supergroup chat",
      parameters: { migrate_to_chat_id: -1_001_234 },
    }),
    { isGood: false, moved: "-1001234" },
  ],
  [
    "telegram",
    of(403, "Forbidden", { ok: false, error_code: 403, description: "Forbidden: bot was kicked from the group chat" }),
    { isGood: false, description: "HTTP 403 Forbidden: Forbidden: bot was kicked from the group chat" },
  ],
  [
    "pagerduty",
    of(202, "Accepted", { status: "success", message: "Event processed", dedup_key: "signalbox-pg1" }),
    { isGood: true },
  ],
  [
    "pagerduty",
    of(400, "Bad Request", {
      status: "invalid event",
      message: "Event object is invalid",
      errors: ["Length of 'routing_key' is incorrect"],
    }),
    {
      isGood: false,
      description: "HTTP 400 Bad Request: Event object is invalid: Length of 'routing_key' is incorrect",
    },
  ],
  ["pagerduty", of(429, "Too Many Requests", ""), { isGood: false, waitSec: 60 }],
  ["pagerduty", of(429, "Too Many Requests", "", { "Retry-After": "90" }), { isGood: false, waitSec: 90 }],
  ["pagerduty", of(503, "Service Unavailable", ""), { isGood: false, waitSec: undefined }],
  [
    "opsgenie",
    of(202, "Accepted", { result: "Request will be processed", took: 0.3, requestId: "43a29c5c" }),
    { isGood: true, ref: "43a29c5c" },
  ],
  [
    "opsgenie",
    of(422, "Unprocessable Entity", { message: "Key format is not valid!", took: 0.001 }),
    { isGood: false, description: "HTTP 422 Unprocessable Entity: Key format is not valid!" },
  ],
  [
    "opsgenie",
    of(429, "Too Many Requests", { message: "You are making too many requests!" }, { "Retry-After": "900" }),
    { isGood: false, waitSec: 300 },
  ],
  ["ntfy", of(200, "OK", { id: "sPs71M8A2T", event: "message", topic: "ops" }), { isGood: true, ref: "sPs71M8A2T" }],
  [
    "ntfy",
    of(403, "Forbidden", { code: 40_301, http: 403, error: "forbidden" }),
    { isGood: false, description: "HTTP 403 Forbidden: forbidden" },
  ],
  [
    "ntfy",
    of(429, "Too Many Requests", { code: 42_901, http: 429, error: "limit reached: too many requests" }),
    { isGood: false },
  ],
  ["matrix", of(200, "OK", { event_id: "$abc:example.org" }), { isGood: true, ref: "$abc:example.org" }],
  [
    "matrix",
    of(429, "Too Many Requests", { errcode: "M_LIMIT_EXCEEDED", error: "Too Many Requests", retry_after_ms: 2001 }),
    { isGood: false, waitSec: 3 },
  ],
  [
    "matrix",
    of(403, "Forbidden", { errcode: "M_FORBIDDEN", error: "User not in room" }),
    { isGood: false, description: "HTTP 403 Forbidden: M_FORBIDDEN User not in room" },
  ],
  [
    "matrix",
    of(502, "Bad Gateway", "<html>"),
    { isGood: false, description: "HTTP 502 Bad Gateway", waitSec: undefined },
  ],
])("%s answers %j: %j", (service, answer, verdict) => {
  expect(readAnswer(service, answer)).toMatchObject(verdict);
});
