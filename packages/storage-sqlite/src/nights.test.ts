import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSignalbox } from "@signalbox/core";
import { fakeClock } from "@signalbox/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { sqliteStorage } from "./index.ts";

const DAY = 86_400;
/** 2027-01-15 08:00:00 UTC */
const EIGHT = 1_800_000_000;
const MARK = EIGHT + 20 * 3600;
const log = { debug() {}, info() {}, warn() {}, error() {} };

/** An installation that starts one node at a time, and its backups. */
function install() {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-upkeep-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const filename = join(folder, "signalbox.db");
  const copies = join(folder, "copies");
  return {
    made: () => readdirSync(folder).includes("copies") && readdirSync(copies),
    async start(now: number) {
      const clock = fakeClock(now);
      const storage = sqliteStorage({ filename, backups: { folder: copies } });
      const secretKey = "a secret key for tests";
      const engine = createSignalbox({ storage, clock, secretKey, log, config: { tz: "UTC", maintenance: "04:00" } });
      await engine.start();
      onTestFinished(() => engine.stop());
      return { clock, stop: () => engine.stop() };
    },
  };
}

test("the nightly copy of the database is made at its time", async () => {
  const at = install();
  const { clock } = await at.start(MARK - 180);
  await clock.advance(120);
  expect(at.made()).toBe(false);
  await clock.advance(120);
  await expect.poll(at.made).toEqual(["2027-01-16.db.gz"]);
});

test("a node that was down at that time makes its copy after the start, once", async () => {
  const at = install();
  const first = await at.start(MARK - 60);
  await first.clock.advance(120);
  await expect.poll(at.made).toEqual(["2027-01-16.db.gz"]);
  await first.stop();
  const second = await at.start(MARK + DAY - 600);
  await second.clock.advance(120);
  await second.stop();
  expect(at.made()).toHaveLength(1);
  const third = await at.start(MARK + DAY + 600);
  await third.clock.advance(120);
  await expect.poll(at.made).toEqual(["2027-01-16.db.gz", "2027-01-17.db.gz"]);
});
