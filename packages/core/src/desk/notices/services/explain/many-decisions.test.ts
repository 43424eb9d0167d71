import { expect, test } from "vitest";
import { useFleets } from "../../../../../test/fleet/fleet.ts";
import { invocationCollection } from "../../../../fleet/alerts/collection.ts";
import { decisionCollection } from "../../collection.ts";
import type { Decision } from "../../model.ts";

const start = useFleets();

test("the last minutes of a firing are explained, however many decisions came before", async () => {
  const { clock, signalbox, storage } = await start({ config: { notices: { enabled: false } } });
  const now = Math.floor(clock.now() / 60) * 60;
  const hold = { kind: "rate", id: "ops", title: "Ops" } as const;
  const decision = (at: number): Decision => ({
    ...{ id: `d${at}`, invocation: "i1", receiver: "ops", problem: "pg1", by: hold },
    ...{ verdict: at % 2 === 0 ? "held" : "told", from: now - 60 * at, to: now - 60 * (at - 1) },
  });
  await storage.write(async (tx) => {
    await tx.collection(invocationCollection).insert({
      ...{
        id: "i1",
        alert: "hot",
        server: "s1",
        date: now - 100_000,
        active: true,
        modified: now,
        tickets: [],
        exp: "1",
      },
      ...{ message: "Hot", count: 1, notified: true, groups: ["main"], jobs: [] },
    });
    await tx.collection(decisionCollection).insertMany(Array.from({ length: 1100 }, (_each, at) => decision(at + 1)));
  });
  const verdictAt = async (minute: number) =>
    (await signalbox.api.explainNotice({ invocation: "i1", receiver: "ops", minute } as never)) as never;
  expect(await verdictAt(now - 60 * 3)).toMatchObject({ rows: [{ verdict: "told" }] });
  expect(await verdictAt(now - 60 * 4)).toMatchObject({ rows: [{ verdict: "held", by: { kind: "rate" } }] });
});
