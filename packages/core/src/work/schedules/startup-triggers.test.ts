import { describe, expect, test } from "vitest";
import { START, startEngine } from "../../../test/engine.ts";
import {
  durable,
  event,
  fakeLauncher,
  type Launched,
  startScheduler,
  switched,
} from "../../../test/work/scheduler-setup.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";

describe("startup triggers", () => {
  test("launch once per engine", async () => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await startScheduler({ storage, launched });
    // The engine's own start has passed: startup triggers created later must wait for the next start.
    await first.clock.advance(1);
    await first.api.createEvent(event({ type: "startup", data: { a: 1 }, tags: ["flag"] }));
    await first.clock.advance(120);
    await first.stop();
    expect(launched).toEqual([]);
    await using second = await startScheduler({
      storage: { ...storage, coordination: { ...storage.coordination, nodeId: "n2" } },
      launched,
    });
    await second.clock.advance(180);
    expect(launched).toMatchObject([
      { source: "startup", input: { data: { a: 1 } }, addTags: ["flag"], uniqueKey: "e:0:startup:n2" },
    ]);
  });

  test("are not launched while the scheduler is paused", async () => {
    const storage = durable();
    await using first = await startScheduler({ storage });
    await first.api.createEvent(event({ type: "startup" }));
    await first.api.updateGlobalState(switched(false));
    await first.stop();
    await using second = await startScheduler({ storage, start: START + 600 });
    await second.clock.advance(1);
    expect(second.launched).toEqual([]);
  });

  test("are not launched by an engine that has been up longer than the setting", async () => {
    const storage = durable();
    await using first = await startScheduler({ storage });
    await first.api.createEvent(event({ type: "startup" }));
    await first.stop();
    const config = { min_startup_trigger_uptime: "10 seconds" };
    const [late, launched] = [fakeLauncher(), [] as Launched[]];
    const clock = fakeClock(START);
    const lead = { held: undefined as (() => void) | undefined };
    const coordination: Storage["coordination"] = {
      ...storage.coordination,
      nodeId: "n2",
      // A standby, which becomes the leader when the test lets it.
      lead(office, work) {
        const signal = new AbortController();
        let own: Disposable | undefined;
        const begin = lead.held;
        lead.held = () => {
          begin?.();
          own = storage.coordination.lead(office, (term) =>
            work({ ...term, lost: AbortSignal.any([term.lost, signal.signal]) }),
          );
        };
        return { [Symbol.dispose]: () => own?.[Symbol.dispose]() };
      },
    };
    await using second = await startEngine({
      ...{ storage: { ...storage, coordination }, clock, config },
      plugins: [late.plugin],
    });
    await second.clock.advance(11);
    lead.held?.();
    await second.clock.advance(5);
    expect([...launched, ...late.launched]).toEqual([]);
  });
});
