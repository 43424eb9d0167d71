import { describe, expect, test } from "vitest";
import { fakeClock } from "../../../../testing/fake-clock.ts";
import { createOutbox } from "./outbox.ts";
import { createWakes } from "./wakes.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the readers of many streams", () => {
  test("continue eight at a time, in the order in which they were woken", async () => {
    const wake = createWakes();
    const went: number[] = [];
    for (let index = 0; index < 20; index++) wake(() => void went.push(index));
    expect(went).toHaveLength(8);
    await turn();
    expect(went).toHaveLength(16);
    await turn();
    expect(went).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  test("continue at once when the turn of others is over", async () => {
    const wake = createWakes();
    const went: number[] = [];
    for (let index = 0; index < 8; index++) wake(() => void went.push(index));
    await turn();
    wake(() => void went.push(8));
    expect(went).toHaveLength(9);
  });

  test("get all that was sent meanwhile, each in its order", async () => {
    const wake = createWakes();
    const { signal } = new AbortController();
    const outboxes = Array.from({ length: 30 }, () =>
      createOutbox({ clock: fakeClock(), signal, wake, left: () => undefined }),
    );
    const heard = outboxes.map(async (outbox) => {
      const updates: unknown[] = [];
      for await (const { data } of outbox.updates()) updates.push(data);
      return updates;
    });
    await turn();
    for (const said of [1, 2, 3])
      for (const outbox of outboxes)
        outbox.push({ update: { cmd: "update", data: { said } }, bytes: new Uint8Array(5) } as never);
    for (const outbox of outboxes) outbox.end("after");
    const all = [{ said: 1 }, { said: 2 }, { said: 3 }];
    expect(await Promise.all(heard)).toEqual(outboxes.map(() => all));
  });
});
