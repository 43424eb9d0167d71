import { expect, test } from "vitest";
import { addPeople } from "../../../test/desk/notices/people.ts";
import { cradleProbe } from "../../../test/engine.ts";
import { hot, hotMinute, join } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { keepingMailer } from "../../../test/scripted/keeping-mailer.ts";
import { userCollection } from "../../directory/users/collection.ts";
import type { Actor } from "../../kernel/calls/context.ts";
import { healthCollection } from "./collection.ts";

const start = useFleets();
const config = { alert_universal_actions: [], email_from: "signalbox@example.com" };
const bob: Actor = { kind: "user", id: "bob", title: "bob", privileges: {}, categories: [], groups: [] };

/** A hot server, and a route whose first step is `first`; a mail is its second step, a quarter of an hour later. */
async function setUp(first: string) {
  const { mailer, sent } = keepingMailer();
  const probe = cradleProbe();
  const fleet = await start({ config, mailer, plugins: [probe.plugin] });
  const { api } = fleet.signalbox;
  const cradle = probe.cradle();
  await addPeople(cradle, ["ann", "bob"]);
  await cradle.transact(({ tx }) => tx.collection(userCollection).update("bob", (user) => ({ ...user, email: "" })));
  await api.createAlert(hot);
  const duty = { timezone: "UTC", layers: [], overrides: [] };
  const shift = { turn: "day", every: 1, handover: { at: "00:00" }, start: "2026-01-01", users: ["bob"] };
  await api.createRota({ id: "night", title: "Night", ...duty, layers: [shift] } as never);
  await api.createReceiver({ id: "duty", title: "Duty", type: "rota", rota: "night" } as never);
  await api.createReceiver({ id: "bobby", title: "Bob", type: "user", users: ["bob"] });
  await api.createReceiver({ id: "annie", title: "Ann", type: "user", users: ["ann"] });
  await api.createReceiver({ id: "room", title: "Room", type: "mail", email: "room@example.com" });
  await api.createReceiver({ id: "lead", title: "Lead", type: "mail", email: "lead@example.com" });
  const steps = [
    { after: 0, to: [first] },
    { after: 15, to: ["lead"] },
  ];
  await api.createRoute({ title: "All", group_wait: 0, steps } as never);
  const agent = await join(fleet, "s1");
  const stay = async (minutes: number) => {
    for (let count = 0; count < minutes; count++) await hotMinute(fleet, agent, 60);
    await fleet.clock.advance(5);
  };
  const notices = async () =>
    (await api.searchNotices({ limit: 10 })).rows.map(({ receiver, kind }) => `${receiver} ${kind}`).toSorted();
  return { fleet, cradle, sent, stay, notices };
}

test.each(["duty", "bobby"])(
  "a step to people without mail or an open page (%s) begins the next step at once",
  async (first) => {
    const at = await setUp(first);
    await at.stay(1);
    expect(await at.notices()).toEqual([`${first} firing`, "lead escalation"]);
    expect(at.sent.map(({ to }) => to)).toEqual([["lead@example.com"]]);
  },
);

test.each(["duty", "bobby"])("a step to people who have a page open (%s) waits before the next step", async (first) => {
  const at = await setUp(first);
  const { signal } = new AbortController();
  await at.cradle.live.listen({ actor: bob, pages: [], signal });
  await at.stay(10);
  expect(await at.notices()).toEqual([`${first} firing`]);
  await at.stay(7);
  expect(await at.notices()).toEqual([`${first} firing`, "lead escalation"]);
});

test("a step to people who get a mail waits before the next step", async () => {
  const at = await setUp("annie");
  await at.stay(10);
  expect(at.sent.map(({ to }) => to)).toEqual([[expect.stringContaining("ann@example.com")]]);
  await at.stay(7);
  expect(at.sent).toHaveLength(2);
});

test("a step to a dead receiver begins the next step at once", async () => {
  const at = await setUp("room");
  const now = at.fleet.clock.now();
  const health = { id: "room", state: "dead", since: now - 600, given_up: 3, tried: now - 10 } as const;
  await at.cradle.transact(({ tx }) => tx.collection(healthCollection).insert(health));
  await at.stay(1);
  expect(await at.notices()).toEqual(expect.arrayContaining(["lead escalation", "room firing"]));
});
