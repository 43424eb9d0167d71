import { expect, test } from "vitest";
import { remote, twoNodes } from "../../../test/fleet/node-pair.ts";

test("snapshots taken through another node contain the seconds of a server", async () => {
  const { clock, one, two } = await twoNodes();
  const server = await two.connect(remote);
  await clock.advance(4);
  await clock.advanceTo(Math.floor(clock.now() / 60) * 60 + 61);
  server.send("monitor", { version: "1.0", date: clock.now(), data: { jobs: 1 } });
  for (const avgLoad of [1, 2, 3]) {
    server.send("quickmon", { cpu: { avgLoad } });
    await clock.advance(1);
  }
  const { api } = one.signalbox;
  const ids = [(await api.createSnapshot({ server: "s1" })).id, (await api.createGroupSnapshot({ group: "main" })).id];
  const [own, ofGroup] = await Promise.all(ids.map(async (id) => (await api.getSnapshot({ id })).snapshot));
  const seconds = [1, 2, 3].map((_qm_cpu_load) => expect.objectContaining({ _qm_cpu_load }));
  expect(own?.quickmon).toEqual(seconds);
  expect(ofGroup?.quickmons).toEqual([seconds]);
});

test("a server that has moved to another node is in a snapshot of its group once", async () => {
  const { clock, one, two } = await twoNodes();
  const before = await one.connect(remote);
  await clock.advance(4);
  before.close();
  await two.connect(remote);
  await clock.advance(6);
  const { id } = await one.signalbox.api.createGroupSnapshot({ group: "main" });
  const { servers } = (await one.signalbox.api.getSnapshot({ id })).snapshot;
  expect(servers).toMatchObject([{ id: "s1", offline: false }]);
});

test("a snapshot of a group names the jobs on servers of other nodes", async () => {
  const { clock, event, one, two } = await twoNodes();
  await two.connect(remote);
  await clock.advance(4);
  const { api } = one.signalbox;
  const { id: job } = await api.runEvent({ id: event });
  await clock.advance(3);
  const { id } = await api.createGroupSnapshot({ group: "main" });
  expect((await api.getSnapshot({ id })).snapshot).toMatchObject({ servers: [{ id: "s1" }], jobs: [job] });
});
