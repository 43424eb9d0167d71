import { expect, test } from "vitest";
import { hot, hotMinute, join } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { keepingMailer } from "../../../test/scripted/keeping-mailer.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";

const start = useFleets();
/** A clock at an hour of a Monday in UTC. */
const clockAt = (hour: number) => fakeClock(Date.UTC(2026, 0, 5, hour) / 1000);

/** A store that stays open when an engine on it stops, as a file would. */
const durable = (storage: Storage): Storage => ({ ...storage, close: async () => undefined });

test("a fresh store notifies its administrators by three routes, in their order", async () => {
  const { signalbox } = await start();
  expect((await signalbox.api.getReceivers()).rows).toMatchObject([
    { id: "admins", type: "user", users: ["@admins"], enabled: true },
  ]);
  const { rows } = await signalbox.api.getRoutes();
  expect(rows.toSorted((a, b) => a.sort_order - b.sort_order)).toMatchObject([
    {
      ...{ id: "urgent", title: "Critical", enabled: true, match: { severities: ["critical"] } },
      ...{ repeat_interval: 14_400, active: [], group_by: ["alert"], group_wait: "auto" },
      steps: [
        { after: 0, to: ["admins"] },
        { after: 30, to: ["admins"] },
      ],
    },
    {
      ...{ id: "normal", title: "Warnings", enabled: true, match: { severities: ["warning"] } },
      ...{ repeat_interval: 86_400, active: [{ from: "07:00", to: "22:00" }], outside: "hold" },
      steps: [{ after: 0, to: ["admins"] }],
    },
    {
      ...{ id: "quiet", title: "Information", enabled: true, match: { severities: ["info"] } },
      ...{ digest: { at: ["08:00"] }, tell_brief: true, group_by: [], steps: [{ after: 0, to: ["admins"] }] },
    },
  ]);
});

test("an older store gets the routes disabled, once, and one row says so", async () => {
  const clock = fakeClock();
  const storage = durable(memoryStorage({ clock }));
  const { signalbox: made } = await start({ clock, storage, config: { presets: false } });
  const { receiver } = await made.api.createReceiver({ id: "ops", title: "Ops", type: "mail", email: "o@example.com" });
  await made.api.createRoute({ id: "normal", title: "Mine", steps: [{ after: 0, to: [receiver.id] }] });
  await made.stop();
  // Everything that the store was seeded with is deleted.
  await storage.write((tx) => tx.counter("seed:alerts"));
  const { signalbox } = await start({ clock, storage });
  const { api } = signalbox;
  const shown = ({ id, enabled, title }: { id: string; enabled?: unknown; title: string }) => [id, enabled, title];
  expect((await api.getReceivers()).rows.map(shown)).toEqual([
    ["ops", true, "Ops"],
    ["admins", false, "Administrators"],
  ]);
  expect((await api.getRoutes()).rows.toSorted((a, b) => a.sort_order - b.sort_order).map(shown)).toEqual([
    ["normal", true, "Mine"],
    ["urgent", false, "Critical"],
    ["quiet", false, "Information"],
  ]);
  const { rows } = await api.searchActivity({ query: "action:notice", limit: 10 });
  expect(rows.map(({ description }) => description)).toEqual([
    'Notices by routes are new. These were added disabled, so nobody new is told: "Administrators", "Critical", "Information"; see Notices to enable them.',
  ]);
  for (const { id } of (await api.getRoutes()).rows) await api.deleteRoute({ id });
  await signalbox.stop();
  const again = await start({ clock, storage });
  expect((await again.signalbox.api.getRoutes()).rows).toEqual([]);
});

test("an added route is matched before the routes of a fresh store", async () => {
  const { mailer, sent } = keepingMailer();
  const { signalbox, ...fleet } = await start({ clock: clockAt(12), mailer, config: { alert_universal_actions: [] } });
  const { api } = signalbox;
  await api.createReceiver({ id: "ops", title: "Ops", type: "mail", email: "ops@example.com" });
  await api.createRoute({ id: "mine", title: "Mine", steps: [{ after: 0, to: ["ops"] }] });
  const { rows } = await api.getRoutes();
  expect(rows.toSorted((a, b) => a.sort_order - b.sort_order).map(({ id }) => id)).toEqual([
    ...["mine", "urgent", "normal", "quiet"],
  ]);
  await api.createAlert({ ...hot, severity: "critical" });
  const agent = await join({ ...fleet, signalbox });
  await hotMinute({ ...fleet, signalbox }, agent, 60);
  await fleet.clock.advance(75);
  expect(sent.map(({ to }) => to)).toEqual([["ops@example.com"]]);
});

const FROM = { email_from: "signalbox@example.com" };
const ADDRESS = "ann@example.com";
test.each<[string, Record<string, string>, string | undefined, string[][], string]>([
  ["without a sender's address", {}, ADDRESS, [], "Shown to: admin"],
  ["where the administrator has no address yet", FROM, undefined, [], "Shown to: admin"],
  ["once mail is set up", FROM, ADDRESS, [[ADDRESS]], `Email sent successfully to: ${ADDRESS}`],
])("%s administrators see a notice, and no mail can fail", async (_title, config, email, expected, description) => {
  const { mailer, sent } = keepingMailer();
  const fleet = await start({
    clock: clockAt(12),
    mailer,
    config: { tz: "UTC", alert_universal_actions: [], ...config },
  });
  const { api, events } = fleet.signalbox;
  const shown: unknown[] = [];
  events.on("channel.notified", ({ users, message, sound }) => void shown.push([users, message, sound]));
  if (email) await api.userAdminUpdate({ username: "admin", email });
  await api.createAlert(hot);
  const agent = await join(fleet);
  await hotMinute(fleet, agent, 60);
  await fleet.clock.advance(75);
  expect(sent.map(({ to }) => to)).toEqual(expected);
  expect(shown).toEqual([[["admin"], expect.stringContaining("Too hot"), null]]);
  const { rows } = await api.searchNotices({ limit: 10 });
  expect(rows.map(({ outcome, result }) => [outcome, result?.description])).toEqual([["sent", description]]);
});

test("a refused mail is retried, and people with a page open see and hear the notice once", async () => {
  const { mailer, sent } = keepingMailer();
  let isAway = true;
  const refusing: typeof mailer = {
    send: async (...mail) => {
      if (isAway) throw new Error("away");
      return mailer.send(...mail);
    },
  };
  const config = { tz: "UTC", alert_universal_actions: [], ...FROM };
  const fleet = await start({ clock: clockAt(12), mailer: refusing, config });
  const { api, events } = fleet.signalbox;
  const sounds: (string | null)[] = [];
  events.on("channel.notified", ({ sound }) => void sounds.push(sound));
  await api.userAdminUpdate({ username: "admin", email: ADDRESS });
  await api.createAlert({ ...hot, severity: "critical" });
  const agent = await join(fleet);
  await hotMinute(fleet, agent, 60);
  await fleet.clock.advance(75);
  isAway = false;
  await fleet.clock.advance(600);
  expect(sent).toHaveLength(1);
  expect(sounds).toEqual(["attention-3.mp3"]);
});
