/** Engines on copies of an already migrated file. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSignalbox } from "@signalbox/core";
import type { BlobStore, LogFields } from "@signalbox/core/adapter";
import { type FakeClock, fakeClock, scriptedAgent } from "@signalbox/core/testing";
import { quickKeys, quickPasswords } from "../../../core/test/engine.ts";
import { sqliteStorage } from "../../src/index.ts";
import { betterSqliteLike } from "../better-sqlite-like.ts";
import { type Spoiler, spoiledAgents, spoiledBlobs, spoiledHooks, spoiledMailer } from "./faults.ts";

export const START = 1_800_000_000;
const SECRET = "a secret key for tests";
/** Quick key derivation: each start derives a key, and a run has three starts. */
const plugins = [quickKeys, quickPasswords];

const folder = mkdtempSync(join(tmpdir(), "signalbox-injection-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** Migrated and filled with the defaults once, then copied: neither is under test here. */
let template: Promise<string> | undefined;
const makeTemplate = async (): Promise<string> => {
  const filename = join(folder, "template.db");
  const storage = sqliteStorage({ filename });
  const engine = createSignalbox({ storage, plugins, secretKey: SECRET, clock: fakeClock(START) });
  await engine.start();
  await engine.stop();
  return filename;
};

/** A fresh copy; `remove` takes it away. */
export async function copyTemplate(): Promise<{ readonly filename: string; remove(): void }> {
  template ??= makeTemplate();
  const filename = join(folder, `${++files}.db`);
  copyFileSync(await template, filename);
  return { filename, remove: () => rmSync(filename, { force: true }) };
}

/** One life of an engine on the file. */
export function openEngine(filename: string, spoiler: Spoiler, blobs: BlobStore, clock: FakeClock) {
  const told: string[] = [];
  const note = (fields: LogFields, message: string): void => {
    if (fields["critical"] === true) told.push(message);
  };
  const quiet = (): void => undefined;
  const storage = sqliteStorage({
    database: betterSqliteLike(filename, { interfere: spoiler.statement }),
    durability: "process",
    clock,
  });
  const agent = scriptedAgent();
  const engine = createSignalbox({
    ...{ storage, clock, plugins, secretKey: SECRET, blobs: spoiledBlobs(blobs, spoiler) },
    ...{ agents: spoiledAgents(agent, spoiler), mailer: spoiledMailer(spoiler), webHooks: spoiledHooks(spoiler) },
    log: { debug: quiet, info: quiet, warn: quiet, error: note },
  });
  return { agent, engine, storage, told };
}

export type Life = ReturnType<typeof openEngine>;
