import { expect, test } from "vitest";
import { MINUTE, type Setting, setUpDelivery } from "../../../test/desk/delivery-setup.ts";
import { refusalOf } from "../../../test/engine.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";

const start = useFleets();
const setUp = (setting?: Setting) => setUpDelivery(start, setting);

test("a receiver that lost three notices is reported dead, tried once a minute, and back with the first delivery", async () => {
  const at = await setUp({ status: 404 });
  expect(await at.health()).toBeUndefined();
  await at.api.updateRoute({ id: "all", clear: "none", repeat_interval: 300 });
  await at.minute(60);
  expect(await at.health()).toMatchObject({ state: "failing", given_up: 1, waiting: 0 });
  expect((await at.health())?.last_error).toContain("404");
  await at.stay(12 * MINUTE);
  expect(await at.health()).toMatchObject({ state: "dead" });
  expect(await at.activity("receiver_dead")).toEqual([expect.stringMatching(/^Room cannot be reached: .*404/)]);
  const { rows } = await at.api.searchNotices({ query: "receiver:room", limit: 1 });
  const before = at.requests.length;
  await at.api.resendNotice({ id: rows[0]?.id ?? "" });
  await at.api.resendNotice({ id: rows[0]?.id ?? "" });
  await at.fleet.clock.advance(2);
  expect((await at.health())?.waiting).toBeGreaterThan(0);
  at.answer.status = 200;
  await at.fleet.clock.advance(130);
  expect(at.requests.length).toBeGreaterThan(before);
  expect(await at.health()).toMatchObject({ state: "ok", given_up: 0, waiting: 0 });
  expect(await at.activity("receiver_back")).toEqual(["Room is reached again"]);
  const turns = (await at.api.searchNotices({ query: "problem:room", limit: 10 })).rows;
  expect(
    turns.map(({ kind, receiver, seq, outcome, turned }) => [kind, receiver, seq, outcome, turned?.title]),
  ).toEqual([
    ["receiver_back", "ops", 2, "sent", "Room"],
    ["receiver_dead", "ops", 1, "sent", "Room"],
  ]);
  const subjects = at.sent.map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.includes("] Room "))).toEqual([
    "[critical] Room cannot be reached",
    "[cleared] Room is reached again",
  ]);
});

test("a resent notice is a new one and changes no mark of its receiver", async () => {
  const at = await setUp({ status: 200 });
  await at.minute(60);
  const [problem] = (await at.api.getProblems({})).rows;
  const [first] = (await at.api.searchNotices({ limit: 10 })).rows;
  const { notice } = await at.api.resendNotice({ id: first?.id ?? "" });
  expect(notice).toMatchObject({
    ...{ kind: "firing", seq: 2, resent: first?.id, outcome: "pending" },
    new: first?.new,
  });
  await at.minute(60);
  expect(at.requests.map(({ body }) => body)).toEqual(Array(2).fill(at.requests[0]?.body));
  const keys = at.requests.map(({ headers }) => headers["X-Idempotency-Key"]);
  expect(new Set(keys).size).toBe(2);
  const { problem: after } = await at.api.getProblem({ id: problem?.id ?? "" });
  expect(after.members.map(({ told }) => told)).toEqual(problem?.members.map(({ told }) => told));
  expect(await at.activity("notice_resend")).toEqual(["Room"]);
  await at.minute(40);
  const { rows } = await at.api.searchNotices({ limit: 10 });
  expect(rows.map(({ kind, seq }) => [kind, seq])).toEqual([
    ["cleared", 3],
    ["firing", 2],
    ["firing", 1],
  ]);
});

test("a failed resend has no fallback, and a resend is sent even if its firings are over", async () => {
  const at = await setUp({ status: 200 });
  await at.minute(60);
  const [first] = (await at.api.searchNotices({ limit: 1 })).rows;
  await at.minute(40);
  await at.minute(40);
  expect(at.requests).toHaveLength(2);
  at.answer.status = 404;
  const { notice } = await at.api.resendNotice({ id: first?.id ?? "" });
  await at.fleet.clock.advance(5);
  expect(at.requests).toHaveLength(3);
  expect(at.sent).toEqual([]);
  expect((await at.api.getNotice({ id: notice.id })).notice).toMatchObject({ outcome: "failed", resent: first?.id });
});

test("attempts within a minute have the same text, and later ones the current state", async () => {
  const at = await setUp();
  await at.minute(60);
  await at.minute(71);
  await at.minute(72);
  const [{ members } = { members: [] }] = (await at.api.getProblems({})).rows;
  expect(members[0]?.told["room"]?.state).toBe("pending");
  const said = at.requests.map(({ body = "" }) => /\d+ degrees/.exec(body)?.[0]);
  expect(said).toEqual([...Array(5).fill("60 degrees"), "72 degrees"]);
});

test("a notice that is pending, unknown, or without a receiver is not resent", async () => {
  const at = await setUp();
  await at.minute(60);
  const [first] = (await at.api.searchNotices({ limit: 1 })).rows;
  const again = (id: string) => refusalOf(at.api.resendNotice({ id }));
  expect(await again(first?.id ?? "")).toEqual({
    code: "notice",
    description: `The notice is on its way: ${first?.id}`,
  });
  expect(await again("nope")).toEqual({ code: "notfound", description: "Failed to locate notice: nope" });
  expect(await refusalOf(at.api.getProblem({ id: "nope" }))).toMatchObject({ code: "notfound" });
  at.answer.status = 404;
  await at.stay(10 * MINUTE);
  await at.api.updateRoute({ id: "all", steps: [{ after: 0, to: ["ops"] }] });
  await at.api.deleteReceiver({ id: "room" });
  expect(await again(first?.id ?? "")).toEqual({ code: "notice", description: "Receiver not found: room" });
});

test("a notice that may have been delivered is uncertain: it is not repeated, and its end is sent", async () => {
  const at = await setUp({ severity: "warning", status: 0 });
  await at.minute(60);
  await at.stay(125 * MINUTE);
  const [fired] = (await at.api.searchNotices({ query: "receiver:room", limit: 5 })).rows;
  expect(fired).toMatchObject({ outcome: "uncertain", kind: "firing" });
  expect(fired?.deliveries?.[0]).toMatchObject({ attempt: 1, outcome: "uncertain", node: expect.any(String) });
  const { reason } = await at.api.explainNotice({ invocation: fired?.new[0] ?? "", receiver: "room", timezone: "UTC" });
  expect(reason).toMatch(/^May have been told twice: Room took the request at \d\d:\d\d and did not answer\.$/);
  at.answer.status = 200;
  await at.minute(40);
  await at.stay(0);
  await at.fleet.clock.advance(120);
  const [over] = (await at.api.searchNotices({ query: "receiver:room", limit: 5 })).rows;
  expect(over).toMatchObject({ kind: "cleared", outcome: "sent" });
});

test("all receivers together get no more notices within an hour than configured, and none with notices off", async () => {
  const few = await setUp({ status: 200, notices: { max_per_hour: 1 } });
  await few.api.updateRoute({ id: "all", repeat_interval: 300 });
  await few.minute(60);
  await few.stay(20 * MINUTE);
  expect(few.requests).toHaveLength(1);
  await few.stay(45 * MINUTE);
  expect(few.requests).toHaveLength(2);
  const off = await setUp({ status: 200, notices: { enabled: false } });
  await off.minute(60);
  await off.stay(5 * MINUTE);
  expect(off.requests).toHaveLength(0);
});
