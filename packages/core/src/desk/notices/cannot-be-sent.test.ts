import { expect, test } from "vitest";
import { MINUTE, setUpDelivery } from "../../../test/desk/delivery-setup.ts";
import { cradleProbe } from "../../../test/engine.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { payloadCollection } from "../../directory/secrets/collection.ts";
import { noticeCollection, receiverCollection } from "./collection.ts";

const start = useFleets();

test("a receiver whose address cannot be decrypted fails, and its fallback is notified", async () => {
  const at = await setUpDelivery(start, { status: 200 });
  const settings = { url: "https://discord.com/api/webhooks/1/x" };
  await at.api.createReceiver({ id: "talk", title: "Talk", type: "discord", settings, fallback: "ops" });
  const { sealed } = (await at.api.getReceiver({ id: "talk" })).receiver;
  await at.fleet.storage.write((tx) => tx.collection(payloadCollection).delete(sealed ?? ""));
  await at.api.updateRoute({ id: "all", steps: [{ after: 0, to: ["talk"] }] });
  await at.minute(60);
  await at.stay(7 * MINUTE);
  expect(at.sent.map(({ text }) => text)).toEqual([expect.stringContaining("Talk could not be reached.")]);
  expect((await at.api.getReceiver({ id: "talk" })).receiver.health).toMatchObject({
    last_error: "Error: Invalid URL",
  });
});

test.each<[string, unknown]>([
  ["a text", "admin"],
  ["a list of other things", [7, { username: "admin" }]],
])("a receiver whose users are %s, as an import may leave them, fails at the first attempt", async (_what, users) => {
  const probe = cradleProbe();
  const at = await setUpDelivery((options) => start({ ...options, plugins: [probe.plugin as never] }), { status: 200 });
  await at.api.createReceiver({ id: "me", title: "Me", type: "user", users: ["admin"] });
  await probe
    .cradle()
    .transact(({ tx }) =>
      tx.collection(receiverCollection).update("me", (me) => ({ ...me, users: users as string[] })),
    );
  await at.api.updateRoute({ id: "all", steps: [{ after: 0, to: ["me"] }] });
  await at.minute(60);
  const { rows } = await at.api.searchNotices({ query: "receiver:me", limit: 1 });
  expect(rows).toMatchObject([{ outcome: "failed", attempts: 1 }]);
});

test("a receiver of mails is not notified on an installation without a sender's address", async () => {
  const at = await setUpDelivery(start, { status: 200, from: "" });
  await at.api.updateRoute({ id: "all", steps: [{ after: 0, to: ["ops"] }] });
  await at.minute(60);
  const { rows } = await at.api.searchNotices({ query: "receiver:ops", limit: 1 });
  expect(rows).toMatchObject([{ outcome: "pending", result: { description: expect.stringContaining("no sender's") } }]);
});

test("a notice that is resent to people is shown to them again", async () => {
  const at = await setUpDelivery(start, { status: 200 });
  await at.api.createReceiver({ id: "me", title: "Me", type: "user", users: ["admin"] });
  await at.api.updateRoute({ id: "all", steps: [{ after: 0, to: ["me"] }] });
  const shown: string[] = [];
  at.fleet.signalbox.events.on("channel.notified", ({ message }) => void shown.push(message));
  await at.minute(60);
  const { rows } = await at.api.searchNotices({ query: "receiver:me", limit: 1 });
  await at.api.resendNotice({ id: rows[0]?.id ?? "" });
  await at.fleet.clock.advance(5);
  expect(shown).toEqual(Array(2).fill(expect.stringContaining("Too hot")));
});

test("a node that stalled for longer than its claim does not undo another node's delivery", async () => {
  const at = await setUpDelivery(start, { status: 404 });
  const takeOver = async () => {
    const [notice] = (await at.api.searchNotices({ query: "receiver:room", limit: 1 })).rows;
    const sent = { attempts: 2, outcome: "sent" as const };
    await at.fleet.storage.write((tx) =>
      tx.collection(noticeCollection).update(notice?.id ?? "", (stored) => ({ ...stored, ...sent })),
    );
  };
  at.answer.meanwhile = takeOver;
  await at.minute(60);
  const { rows } = await at.api.searchNotices({ query: "receiver:room", limit: 5 });
  expect(rows).toMatchObject([{ outcome: "sent", attempts: 2 }]);
  expect(at.sent).toEqual([]);
  expect(await at.activity("notice_failed")).toEqual([]);
});

test("a notice whose service is slow to answer is not sent again meanwhile", async () => {
  const at = await setUpDelivery(start, { status: 200 });
  await at.api.updateRoute({ id: "all", repeat_interval: 60, group_interval: 10 });
  const slow = Promise.withResolvers<void>();
  at.answer.meanwhile = () => slow.promise;
  await at.minute(60);
  await at.stay(4 * MINUTE);
  expect(at.requests).toHaveLength(1);
  slow.resolve();
  await at.fleet.clock.advance(10);
  const keys = at.requests.map(({ headers }) => headers["X-Idempotency-Key"]);
  expect(keys.length).toBeGreaterThan(1);
  expect(new Set(keys).size).toBe(keys.length);
});

test("a skipped notice does not count towards the hourly limit of its receiver", async () => {
  const at = await setUpDelivery(start, { status: 200 });
  await at.api.updateReceiver({ id: "room", max_per_hour: 1 });
  await at.api.updateAlert({ id: "hot", severity: "warning" });
  await at.minute(40);
  const date = Math.floor(at.fleet.clock.now());
  await at.fleet.storage.write((tx) =>
    tx.collection(noticeCollection).insert({
      ...{
        id: "no0",
        problem: "pg0",
        receiver: "room",
        route: "all",
        seq: 1,
        kind: "firing",
        severity: "warning",
        date,
      },
      ...{
        new: ["a0"],
        repeated: [],
        over: [],
        still: [],
        groups: [],
        outcome: "skipped",
        text: "",
        attempts: 1,
        next: date,
      },
    }),
  );
  await at.minute(60);
  expect(at.requests).toHaveLength(1);
});
