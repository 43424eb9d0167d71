import { describe, expect, test } from "vitest";
import type { WebHookDelivery } from "../model.ts";
import { attempted, deliveryCause, restoredData, scopeOf, storableData } from "./delivery.ts";

test.each([
  [
    { job: { id: "j1", category: "a", targets: ["main", 5] } },
    { type: "job", about: "j1", category: "a", targets: ["main"] },
  ],
  [{ job: { id: "j1" } }, { type: "job", about: "j1", category: "", targets: [] }],
  [
    { alert: { id: "inv" }, server: { groups: ["g"] } },
    { type: "alert", about: "inv", groups: ["g"] },
  ],
  [
    { alert: { id: "inv", subject: { type: "check", id: "c" }, category: "shop", groups: [] }, server: { groups: [] } },
    { type: "alert", about: "inv", category: "shop" },
  ],
  [
    { alert: { id: "inv", groups: ["g"] }, alerts: [{ alert: { groups: ["g"] } }, { alert: { groups: ["h"] } }] },
    { type: "alert", about: "inv", groups: ["g"], firings: [{ groups: ["g"] }, { groups: ["h"] }] },
  ],
  [
    { action: "user_login", username: "ada" },
    { type: "system", about: "user_login" },
  ],
  [{}, { type: "system", about: "" }],
])("the scope of %j is %j", (data, scope) => expect(scopeOf(data)).toEqual(scope));

const row = { kind: "activity", id: "a1" } as const;
test.each([
  [{ type: "job", about: "j1" }, undefined, { kind: "job", id: "j1" }],
  [{ type: "alert", about: "inv" }, row, { kind: "alert", id: "inv" }],
  [{ type: "system", about: "user_login" }, row, row],
  [{ type: "system", about: "" }, undefined, undefined],
] as const)("the cause of a delivery about %j, fired by %j, is %j", (scope, given, cause) =>
  expect(deliveryCause(scope, given)).toEqual(cause),
);

describe("stored data of a delivery", () => {
  const links = { job_log: "https://x/api/app/download_job_log?id=j1&t=abc", job_details: "https://x/#Job?id=j1" };

  test("contain neither the environment nor the token of the log, and get the token back", () => {
    const data = { job: { id: "j1" }, links, env: { PATH: "/bin" }, text: "T" };
    const kept = storableData(data);
    expect(JSON.stringify(kept)).not.toMatch(/abc|PATH/);
    expect(restoredData(kept ?? {}, (job) => `token-of-${job}`)).toEqual({
      job: { id: "j1" },
      links: { ...links, job_log: "https://x/api/app/download_job_log?id=j1&t=token-of-j1" },
      text: "T",
    });
  });

  test("contain no link that acknowledges, nor does the report of an attempt", () => {
    const ack_url = "https://x/api/app/ack/MQpubzE-abc_def";
    const kept = storableData({ text: "T", notice: { id: "no1", ack_url } });
    expect(kept).toEqual({ text: "T", notice: { id: "no1" } });
    const failure = { code: 404, description: "Gone", details: `Body: T | ${ack_url} | ${ack_url}"`, date: 1 };
    const link = "https://x/api/app/ack/(hidden)";
    expect(attempted({ attempts: 0 } as never, failure).details).toBe(`Body: T | ${link} | ${link}"`);
  });

  test.each([[{ text: "x".repeat(70_000) }], [{ big: 1n }]])(
    "are left out if they are too long or cannot be JSON",
    (data) => expect(storableData(data)).toBeUndefined(),
  );
});

test("an attempt replaces the result, and a successful one drops the data", () => {
  const delivery: WebHookDelivery = {
    ...{ id: "wd1", web_hook: "h", title: "H", type: "system", about: "", created: 1, date: 1, attempts: 1 },
    ...{ code: "webhook", description: "Error", details: "", key: "k", data: { a: 1 } },
  };
  const failed = { code: "webhook", description: "Error: again", details: "d".repeat(20_000), date: 2 };
  expect(attempted(delivery, failed)).toMatchObject({
    attempts: 2,
    date: 2,
    description: "Error: again",
    data: { a: 1 },
  });
  expect(attempted(delivery, failed).details).toHaveLength(16_384);
  const over = attempted(delivery, { code: 0, description: "Success (HTTP 200 OK)", date: 3 });
  expect(over).toMatchObject({ code: 0, delivered: true, attempts: 2 });
  expect(over).not.toHaveProperty("data");
});
