import { expect, test } from "vitest";
import { chat, MINUTE, type Setting, setUpDelivery } from "../../../test/desk/delivery-setup.ts";
import { hot } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";

const start = useFleets();
const setUp = (setting?: Setting) => setUpDelivery(start, setting);

test.each([
  ["critical", 5 * MINUTE],
  ["warning", 15 * MINUTE],
])(
  "a %s notice that fails for %d seconds is sent to the fallback once, and still retried",
  async (severity, patience) => {
    const at = await setUp({ severity });
    await at.minute(60);
    await at.stay(patience - 2 * MINUTE);
    expect(at.sent).toHaveLength(0);
    // Attempts follow after five minutes, then after ten more.
    await at.stay(10 * MINUTE);
    expect(at.sent.map(({ to }) => to)).toEqual([["ops@example.com"]]);
    at.answer.status = 200;
    await at.stay(20 * MINUTE);
    expect(at.sent).toHaveLength(1);
    const { rows } = await at.api.searchNotices({ limit: 10 });
    expect(rows.map(({ receiver, outcome }) => [receiver, outcome])).toEqual([
      ["ops", "sent"],
      ["room", "sent"],
    ]);
    expect(await at.health()).toMatchObject({ state: "ok", given_up: 0, waiting: 0 });
  },
);

test("a notice that waits behind a failing one goes to the fallback by its own time", async () => {
  const at = await setUp();
  await at.api.createAlert({
    ...hot,
    id: "hotter",
    title: "Far too hot",
    expression: "temp >= 80",
    severity: "critical",
  });
  for (const temp of [60, 60, 90, 90, 90, 90, 90]) await at.minute(temp);
  expect(at.sent.map(({ subject }) => subject)).toEqual([expect.stringContaining("Too hot")]);
  // Five minutes after the decision, long before the notice itself could be attempted.
  await at.minute(90);
  expect(at.sent.map(({ subject }) => subject).slice(1)).toEqual([expect.stringContaining("Far too hot")]);
  expect(
    (await at.api.searchNotices({ query: "receiver:room", limit: 9 })).rows.map(({ attempts }) => attempts),
  ).toEqual([...[0, 7]]);
});

test("an unreachable fallback has a fallback too, and after two no one else is notified", async () => {
  const at = await setUp({ status: 404 });
  for (const [id, fallback] of [
    ["boss", undefined],
    ["lead", "boss"],
    ["shift", "lead"],
  ] as const)
    await at.api.createReceiver({ id, title: `The ${id}`, type: "web_hook", web_hook: "chat", fallback });
  await at.api.updateReceiver({ id: "room", fallback: "shift" });
  await at.minute(60);
  await at.fleet.clock.advance(5);
  const { rows } = await at.api.searchNotices({ limit: 9 });
  expect(rows.map(({ receiver, outcome }) => [receiver, outcome]).toSorted()).toEqual([
    ["lead", "failed"],
    ["room", "failed"],
    ["shift", "failed"],
  ]);
  expect(rows.find(({ receiver }) => receiver === "lead")?.text).toMatch(/^Room and The shift could not be reached\. /);
  expect(await at.activity("notice_failed")).toEqual(
    expect.arrayContaining([expect.stringMatching(/^The lead: .*404.*; no fallback$/)]),
  );
});

test("a failed notice to a fallback does not affect the notices of its own route", async () => {
  const at = await setUp({ status: 200 });
  const body = "{{text}} | {{alerts[0].def.id}} {{alerts[0].state}} {{alerts[0].subject.id}}";
  await at.api.createWebHook({ ...chat, body, id: "own", url: "http://own.test/" } as never);
  await at.api.createReceiver({ id: "shift", title: "Shift", type: "web_hook", web_hook: "own" });
  await at.api.updateReceiver({ id: "room", fallback: "shift" });
  await at.api.updateRoute({ id: "all", steps: [{ after: 0, to: ["shift", "room"] }] });
  at.answer.refuses = ({ url, body }) => url === chat.url || body?.startsWith("Room could not") === true;
  await at.minute(60);
  await at.minute(60);
  const [problem] = (await at.api.getProblems({})).rows;
  const { room, shift } = problem?.members[0]?.told ?? {};
  expect([room, shift]).toMatchObject([
    { failed: true, state: "untold" },
    { count: 1, state: "told" },
  ]);
  const { rows } = await at.api.searchNotices({ query: "receiver:shift", limit: 9 });
  expect(rows.map(({ outcome }) => outcome)).toEqual(["failed", "sent"]);
  expect(at.requests.find(({ url }) => url === "http://own.test/")?.body).toMatch(/ \| hot new s1$/);
  const [missed] = (await at.api.searchNotices({ query: "receiver:room", limit: 9 })).rows;
  expect(rows.map(({ also_by }) => also_by)).toEqual([missed?.id, undefined]);
  await at.minute(40);
  await at.minute(40);
  expect((await at.api.searchNotices({ query: "receiver:shift", limit: 1 })).rows[0]).toMatchObject({
    ...{ kind: "cleared", outcome: "sent" },
  });
});

test.each([
  ["the receiver that the configuration names", { fallback: "ops" }, "ops"],
  ["the administrators by default", {}, "@admins"],
])("a receiver without a fallback has %s, who get what it missed", async (_which, notices, receiver) => {
  const at = await setUp({ status: 404, notices });
  await at.api.updateReceiver({ id: "room", fallback: null });
  await at.minute(60);
  await at.fleet.clock.advance(5);
  const { rows } = await at.api.searchNotices({ limit: 5 });
  expect(rows.map((row) => [row.receiver, row.outcome])).toEqual([
    [receiver, "sent"],
    ["room", "failed"],
  ]);
  expect(rows[0]?.text).toMatch(/^Room could not be reached\. Signalbox Firing: Too hot/);
  const { reason } = await at.api.explainNotice({
    invocation: rows[0]?.new[0] ?? "",
    receiver: "room",
    timezone: "UTC",
  });
  expect(reason).toMatch(/; (?:Ops was|administrators were) told in its place at \d\d:\d\d\.$/);
});
