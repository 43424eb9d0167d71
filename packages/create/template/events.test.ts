import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestSignalbox } from "@signalbox/core/testing";
import { events } from "./events.ts";

test("hello is printed every five minutes", async (context) => {
  const box = await createTestSignalbox({ events, now: "2026-01-01 08:58" });
  context.after(() => box.stop());
  await box.advanceTo("09:06");
  const runs = await box.runs("hello");
  assert.deepEqual(
    runs.map(({ output }) => output),
    ["Hello\n", "Hello\n"],
  );
});
