import { describe, expect, test } from "vitest";
import { activity, hot, invocations, join, without } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";

const start = useFleets();
const HOUR = 3600;

/** A server on which an alert is live. */
async function setUp() {
  const fleet = await start({ config: without });
  await fleet.signalbox.api.createAlert(hot as never);
  const server = await join(fleet);
  for (let count = 0; count < 4; count++) await fleet.minute(server, { temp: 60 });
  return { fleet, server };
}

describe("a clock that goes on by an hour, as after a pause of the machine", () => {
  test("ends no alert of a server that reports within the next minute", async () => {
    const { fleet, server } = await setUp();
    fleet.clock.step(HOUR);
    await fleet.clock.advance(59);
    expect(await invocations(fleet)).toMatchObject([{ active: true }]);
    await fleet.minute(server, { temp: 60 });
    await fleet.clock.advance(60);
    expect(await invocations(fleet)).toMatchObject([{ active: true }]);
    expect((await activity(fleet)).map(({ action }) => action)).toEqual(["alert_new"]);
  });

  test("ends those of a server that stays away", async () => {
    const { fleet } = await setUp();
    fleet.clock.step(HOUR);
    await fleet.clock.advance(240);
    expect(await invocations(fleet)).toMatchObject([{ active: false, stale: true }]);
  });
});

test("a server that falls silent after the clock was set back is told of after five minutes", async () => {
  const { fleet, server } = await setUp();
  await fleet.clock.advance(300);
  fleet.clock.step(-HOUR);
  server.close();
  await fleet.clock.advance(600);
  const silent = (await invocations(fleet)).filter(({ alert }) => alert === "server_silent");
  expect(silent).toMatchObject([{ active: true, server: "s1" }]);
});
