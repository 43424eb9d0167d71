import { expect, test } from "vitest";
import { startEngine } from "../../../test/engine.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";

test("a queue that is known to be empty is not read until something is queued", async () => {
  const clock = fakeClock();
  const storage = memoryStorage({ clock });
  let isEmpty = true;
  let claims = 0;
  const claim: typeof storage.work.claim = (request) => {
    claims += 1;
    return storage.work.claim(request);
  };
  const work = { ...storage.work, claim, isKnownEmpty: () => isEmpty };
  const engine = await startEngine({ clock, storage: { ...storage, work } });
  await clock.advance(5);
  const atStart = claims;
  await clock.advance(30);
  expect(claims).toBe(atStart);
  isEmpty = false;
  await clock.advance(3);
  expect(claims).toBe(atStart + 3);
  await engine.stop();
});

test("queued work is looked for at whole seconds, when loops wake the process anyway", async () => {
  const clock = fakeClock(1_800_000_000.4);
  const storage = memoryStorage({ clock });
  const looks: number[] = [];
  const claim: typeof storage.work.claim = (request) => {
    if (request.look) looks.push(clock.now());
    return storage.work.claim(request);
  };
  const engine = await startEngine({ clock, storage: { ...storage, work: { ...storage.work, claim } } });
  await clock.advance(3);
  expect(looks).toEqual([1_800_000_001, 1_800_000_002, 1_800_000_003]);
  await engine.stop();
});
