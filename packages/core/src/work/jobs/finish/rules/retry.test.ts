import { describe, expect, test } from "vitest";
import type { Limit } from "../../../../wire/entries/actions-and-limits.ts";
import type { ActiveJob, Job } from "../../model.ts";
import { decideRetry, membersForRetry, type RetryDecision, retryDelay } from "./retry.ts";

const retry = (amount: unknown, members: Partial<Limit> = {}): Limit => ({
  enabled: true,
  type: "retry",
  amount,
  ...members,
});
const job = (members: Partial<Job>): Job => ({ id: "j1", event: "e1", state: "complete", started: 1, ...members });
const none: RetryDecision = { kind: "none" };
const again = (count: number, total: number, delay = 0): RetryDecision => ({ kind: "again", count, total, delay });

describe("a retry", () => {
  test.each<[string, Partial<Job>, RetryDecision]>([
    ["a success", { code: 0, limits: [retry(3)] }, none],
    ["a false code", { code: false, limits: [retry(3)] }, none],
    ["a failure without a limit", { code: 1 }, none],
    ["a failure", { code: 1, limits: [retry(3)] }, again(1, 3)],
    ["a warning", { code: "warning", limits: [retry(1)] }, again(1, 1)],
    ["a delay", { code: 1, limits: [retry(1, { duration: 30 })] }, again(1, 1, 30)],
    ["a later attempt", { code: 1, retry_count: 2, limits: [retry(3)] }, again(3, 3)],
    ["the last attempt", { code: 1, retry_count: 3, limits: [retry(3)] }, { kind: "exhausted", total: 3 }],
    ["a retried job", { code: 1, retried: true, limits: [retry(3)] }, none],
    ["an abort", { code: "abort", limits: [retry(3)] }, none],
    ["an abort that allows it", { code: "abort", retry_ok: true, limits: [retry(3)] }, again(1, 3)],
    ["an abort in other letters", { code: "ABORT", limits: [retry(3)] }, none],
    ["zero retries", { code: 1, limits: [retry(0)] }, none],
    ["no amount", { code: 1, limits: [{ enabled: true, type: "retry" }] }, none],
    ["zero of the event before a default", { code: 1, limits: [retry(0), retry(5, { source: "category" })] }, none],
    ["a disabled limit before another", { code: 1, limits: [retry(9, { enabled: false }), retry(2)] }, again(1, 2)],
  ])("after %s", (_name, members, decision) => {
    expect(decideRetry(job(members), () => 0.5)).toEqual(decision);
  });
});

describe("members of a retry", () => {
  const from = (members: Partial<Job>) => membersForRetry({ job: job(members) } satisfies Pick<ActiveJob, "job">);

  test.each([
    ...["type", "category", "plugin", "targets", "algo", "expression", "parent", "source", "username", "icon", "label"],
    ...["tags", "test", "invisible", "priority", "notes", "fields", "env", "plabel", "picon", "test_actions", "now"],
    ...["test_limits", "test_conditions", "tickets", "clear_alert", "params"],
  ])("%s is kept", (member) => {
    expect(from({ [member]: "x" } as Partial<Job>)).toMatchObject({ [member]: "x" });
  });

  test.each([
    ...[
      "id",
      "event",
      "state",
      "started",
      "server",
      "groups",
      "code",
      "description",
      "complete",
      "retried",
      "retry_ok",
    ],
    ...["jobs", "pid", "progress", "cpu", "mem", "completed", "elapsed", "html", "log_file_size", "updated", "until"],
  ])("%s is dropped", (member) => {
    expect(from({ [member]: 1 } as Partial<Job>)).not.toHaveProperty(member);
  });

  test("limits of category and configuration are dropped, and fired ones can fire again", () => {
    const { limits } = from({
      limits: [
        {
          enabled: true,
          type: "time",
          duration: 5,
          date: 1,
          msg: "over",
          code: 0,
          description: "d",
          details: "",
          elapsed_ms: 1,
        },
        { enabled: true, type: "mem", amount: 1, when: 4 },
        { enabled: true, type: "log", amount: 1, source: "category" },
        { enabled: true, type: "log", amount: 2, source: "universal" },
        { enabled: true, type: "log", amount: 3, source: "job" },
        { enabled: true, type: "job", amount: 3, source: "workflow" },
      ],
    });
    expect(limits).toEqual([
      { enabled: true, type: "time", duration: 5 },
      { enabled: true, type: "mem", amount: 1 },
      { enabled: true, type: "job", amount: 3, source: "workflow" },
    ]);
  });
});

describe("the delay before a retry", () => {
  const limit = (members: Record<string, unknown>) => ({ enabled: true, type: "retry", duration: 10, ...members });

  test.each([
    [{}, 3, 10],
    [{ backoff: 1 }, 3, 10],
    [{ backoff: 3 }, 0, 10],
    [{ backoff: 3 }, 2, 90],
    [{ backoff: 3, max_delay: 50 }, 2, 50],
    [{ backoff: 10 }, 9, 86_400],
    [{ backoff: 2, max_delay: 5 }, 4, 10],
    [{ backoff: "x", jitter: -1 }, 4, 10],
  ])("%j after %i attempts is %i seconds", (members, count, delay) => {
    expect(retryDelay(limit(members), count, () => 0.9)).toBe(delay);
  });

  test("is changed by jitter either way, never below zero", () => {
    const moved = (fraction: number) => retryDelay(limit({ jitter: 0.5 }), 0, () => fraction);
    expect([moved(0), moved(0.5), moved(0.999_999)].map(Math.round)).toEqual([5, 10, 15]);
    expect(retryDelay(limit({ jitter: 7 }), 0, () => 0)).toBe(0);
  });
});
