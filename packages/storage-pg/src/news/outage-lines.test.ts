import { createSignalbox, memoryBlobStore, silentLogger } from "@signalbox/core";
import { fakeClock, scriptedAgent } from "@signalbox/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { quickKeys, quickPasswords } from "../../../core/test/engine.ts";
import { lendDatabase } from "../../test/lent-database.ts";
import { startSilentProxy } from "../../test/silent-proxy.ts";
import { pgStorage } from "../index.ts";

const AWAY = [
  "Cannot stand for office; trying again",
  "Changes of other nodes could not be read; trying again",
  "The others could not be told that this node lives",
];

test("while the database is unavailable each loop warns once, and not at every try", async () => {
  const clock = fakeClock(1_795_253_600);
  const warnings: string[] = [];
  const tries: string[] = [];
  const log = {
    ...silentLogger,
    debug: (_fields: object, text: string) => void tries.push(text),
    warn: (_fields: object, text: string) => void warnings.push(text),
  };
  const proxy = await startSilentProxy(await lendDatabase());
  const signalbox = createSignalbox({
    storage: pgStorage({ connectionString: proxy.connectionString, clock, log }),
    ...{ agents: scriptedAgent(), blobs: memoryBlobStore({ clock }), clock, log },
    ...{ secretKey: "EXAMPLE_CLUSTER_KEY", plugins: [quickKeys, quickPasswords] },
  });
  await signalbox.start();
  onTestFinished(() => signalbox.stop());
  await proxy[Symbol.asyncDispose]();
  const triesOf = (text: string) => [...warnings, ...tries].filter((line) => line === text).length;
  await expect
    .poll(async () => {
      await clock.advance(1);
      return AWAY.every((text) => triesOf(text) > 2);
    })
    .toBe(true);
  expect(AWAY.map((text) => warnings.filter((line) => line === text).length)).toEqual([1, 1, 1]);
});
