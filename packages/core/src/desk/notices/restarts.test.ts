import { describe, expect, test } from "vitest";
import { config, joinAll, minute, servers, setUp, start } from "../../../test/desk/notices/mailed-servers.ts";
import { keepingMailer } from "../../../test/scripted/keeping-mailer.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { Mail } from "../../ports/outside/mailer.ts";
import { fakeClock } from "../../testing/fake-clock.ts";

describe("restarts", () => {
  test("do not repeat notices, and report firings that came meanwhile", async () => {
    const clock = fakeClock();
    const storage = { ...memoryStorage({ clock }), close: async () => undefined };
    const first = await setUp({ clock, storage });
    const agents = await joinAll(first.fleet, servers);
    await minute(first.fleet, agents, [60, 40, 40]);
    await clock.advance(75);
    expect(first.sent).toHaveLength(1);
    await minute(first.fleet, agents, [60, 60, 40]);
    await first.fleet.signalbox.stop();

    const { mailer, sent } = keepingMailer();
    const second = await start({ clock, storage, config, mailer });
    const again = await joinAll(second, servers);
    for (let count = 0; count < 5; count++) await minute(second, again, [60, 60, 40]);
    expect(sent.map(({ subject }) => subject)).toEqual(["[warning] Too hot on 2 servers"]);
    await minute(second, again, [40, 40, 40]);
    await clock.advance(75);
    expect(sent.at(-1)?.subject).toBe("[cleared] Too hot on 2 servers");
  });

  test("deliver a notice that is pending when the engine stops once", async () => {
    const clock = fakeClock();
    const storage = { ...memoryStorage({ clock }), close: async () => undefined };
    const { promise: isSent, resolve: send } = Promise.withResolvers<void>();
    const { promise: answer, resolve: release } = Promise.withResolvers<void>();
    const subjects: string[] = [];
    const mailer = {
      async send({ subject }: Mail) {
        subjects.push(subject);
        send();
        await answer;
      },
    };
    const first = await setUp({ clock, storage, mailer });
    await minute(first.fleet, await joinAll(first.fleet, servers), [60, 40, 40]);
    await Promise.all([isSent, clock.advance(75)]);
    const stopped = first.fleet.signalbox.stop();
    // Long enough for the stop signal to reach all work.
    await new Promise((resolve) => setTimeout(resolve, 100));
    release();
    await stopped;

    const second = await start({ clock, storage, config, mailer });
    const again = await joinAll(second, servers);
    for (let count = 0; count < 5; count++) await minute(second, again, [60, 40, 40]);
    expect(subjects).toHaveLength(1);
  });
});
