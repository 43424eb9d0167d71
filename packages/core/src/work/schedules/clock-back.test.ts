import { expect, test } from "vitest";
import { START } from "../../../test/engine.ts";
import { durable, event, everyMinute, type Launched, startScheduler } from "../../../test/work/scheduler-setup.ts";

const HOUR = 3600;

/** A scheduler that starts with a clock two hours ahead; a minute later the clock is set back. */
async function setBack(...triggers: Parameters<typeof event>) {
  const [storage, launched] = [durable(), [] as Launched[]];
  const first = await startScheduler({ storage, launched });
  await first.api.createEvent(event(...triggers));
  await first.clock.advance(90);
  await first.stop();
  const second = await startScheduler({ storage, launched, start: START + 2 * HOUR + 130 });
  await second.clock.advance(60);
  launched.splice(0);
  second.clock.step(-2 * HOUR);
  return second;
}

test("minutes that the clock was ahead of are evaluated when they come", async () => {
  await using at = await setBack(everyMinute);
  await at.clock.advance(180);
  expect(at.minutes()).toEqual([4, 5, 6]);
});

test("minutes that were evaluated by a clock ahead are not evaluated again", async () => {
  await using at = await setBack(everyMinute);
  at.clock.step(2 * HOUR - 60);
  await at.clock.advance(180);
  expect(at.minutes()).toEqual([124, 125]);
});

test("an event with catch-up does not repeat minutes that it caught up with by a clock ahead", async () => {
  await using at = await setBack(everyMinute, { type: "catchup" });
  await at.clock.advance(180);
  expect(at.launched).toEqual([]);
});
