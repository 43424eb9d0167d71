import { expect, test } from "vitest";
import { START, startEngine } from "../../../test/engine.ts";
import {
  durable,
  event,
  everyMinute,
  fakeLauncher,
  type Launched,
  startScheduler,
} from "../../../test/work/scheduler-setup.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { eventStateCollection } from "../events/collection.ts";
import { defineEvent } from "../events/define-event.ts";

const catchUp = { type: "catchup" } as const;
const triggersOf = (...triggers: Record<string, unknown>[]) => ({ id: "e", triggers: event(...triggers).triggers });

test("catch-up removed and added again starts from then: its present schedule never applied in between", async () => {
  await using at = await startScheduler();
  const seldom = { ...everyMinute, minutes: [5] };
  await at.api.createEvent(event(seldom, catchUp));
  await at.clock.advance(60);
  await at.api.updateEvent(triggersOf(seldom) as never);
  await at.clock.advance(600);
  await at.api.updateEvent(triggersOf(everyMinute, catchUp) as never);
  await at.clock.advance(120);
  expect(at.minutes()).toEqual([5, 12, 13]);
});

test("catch-up added to an event does not include runs that were missed before", async () => {
  const [storage, launched] = [durable(), [] as Launched[]];
  const first = await startScheduler({ storage, launched });
  await first.api.createEvent(event(everyMinute, catchUp));
  await first.clock.advance(60);
  await first.api.updateEvent(triggersOf(everyMinute) as never);
  await first.stop();
  await using second = await startScheduler({ storage, launched, start: START + 3630 });
  await second.api.updateEvent(triggersOf(everyMinute, catchUp) as never);
  await second.clock.advance(60);
  expect(second.minutes()).toEqual([1, 61]);
});

test("an event in code that is changed while the engine is down is caught up on since its last change", async () => {
  const storage = durable();
  const launched: Launched[] = [];
  const begin = async (start: number, title: string) => {
    const launcher = fakeLauncher(launched);
    const schedule = [{ ...everyMinute, enabled: true }, catchUp] as never;
    const own = defineEvent({ id: "e", title, schedule, run: () => undefined });
    const clock = fakeClock(start);
    return { ...(await startEngine({ storage, clock, plugins: [launcher.plugin], events: [own] })), clock };
  };
  const first = await begin(START + 30, "Before");
  // No minute has ended yet, so no pass has stored the event's starting position.
  await first.stop();
  const second = await begin(START + 300, "After");
  await second.clock.advance(70);
  expect(launched.map(({ now = 0 }) => (now - START) / 60)).toEqual([1, 2, 3, 4, 5, 6]);
  await second.stop();
});

test("an event that is deleted during a pass leaves no state to a later event with its id", async () => {
  const launched: Launched[] = [];
  await using at = await startScheduler({ launched });
  await at.api.createEvent(event({ type: "schedule", hours: [7], minutes: [58] }, catchUp));
  await at.api.createEvent({ ...event(everyMinute), id: "z" });
  const launching = Promise.withResolvers<void>();
  const deleted = launching.promise.then(() => at.api.deleteEvent({ id: "e" }));
  const { push } = launched;
  // The pass has evaluated the first event and launches the second one.
  launched.push = (...requests) => {
    launched.push = push;
    launching.resolve();
    return push.apply(launched, requests);
  };
  await at.clock.advance(60);
  await deleted;
  await at.clock.advance(60);
  expect(await at.storage.read((tx) => tx.collection(eventStateCollection).get("e"))).toBeUndefined();
});
