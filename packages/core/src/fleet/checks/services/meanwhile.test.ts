import { expect, test } from "vitest";
import { without } from "../../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../../test/fleet/fleet.ts";

const start = useFleets();

/** A check whose probe is in flight, and the means to answer it. */
async function beingAsked() {
  const asked: ((error: Error) => void)[] = [];
  const fleet = await start({
    config: without,
    webHooks: {
      send: async () => Promise.reject(new Error("Not asked here")),
      probe: () => new Promise((_resolve, reject) => void asked.push(reject)),
    },
  });
  const { api } = fleet.signalbox;
  await api.createCheck({ id: "port", title: "Port", type: "tcp", host: "192.0.2.1", port: 25, retries: 0 });
  await fleet.clock.advance(10);
  const refuse = async () => {
    for (const end of asked.splice(0)) end(Object.assign(new Error("Refused"), { code: "ECONNREFUSED" }));
    await fleet.clock.advance(1);
  };
  expect(asked).toHaveLength(1);
  const fired = async () => (await api.searchAlerts({ query: "check:port", limit: 5 })).rows;
  return { api, fleet, fired, refuse };
}

test("a failure of a check that was disabled while it ran is ignored", async () => {
  const { api, fired, refuse } = await beingAsked();
  await api.updateCheck({ id: "port", enabled: false });
  await refuse();
  expect(await fired()).toEqual([]);
  expect((await api.getCheck({ id: "port" })).results).toEqual([]);
});

test("a failure of a check whose category was disabled while it ran is ignored", async () => {
  const { api, fired, refuse } = await beingAsked();
  await api.updateCategory({ id: "general", enabled: false });
  await refuse();
  expect(await fired()).toEqual([]);
});

test("a failure is reported by the present definition", async () => {
  const { api, fired, refuse } = await beingAsked();
  await api.createCategory({ id: "mail", title: "Mail" });
  await api.updateCheck({ id: "port", title: "Mail server", category: "mail" });
  await refuse();
  expect(await fired()).toMatchObject([{ subject: { title: "Mail server" }, category: "mail" }]);
});
