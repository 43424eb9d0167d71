import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSignalbox, defineEvent, type EventRun, memoryStorage } from "@signalbox/core";
import type { LogFields } from "@signalbox/core/adapter";
import type { HostEvent } from "@signalbox/core/plugin";
import { afterEach, beforeEach, expect, test } from "vitest";
import { quickKeys, quickPasswords } from "../../../core/test/engine.ts";
import { runToEnd, scriptEvent } from "../../test/shell-jobs.ts";
import { localAgent } from "./index.ts";

const VALUE = "planted-value-7f3k";
let tempDir = "";
const running: { stop(): Promise<void> }[] = [];
beforeEach(async () => {
  tempDir = await mkdtemp(join(tmpdir(), "signalbox-secrets-"));
});
afterEach(async () => {
  for (const engine of running.splice(0)) await engine.stop();
  await rm(tempDir, { recursive: true, force: true });
});

/** Starts a complete engine with its vault, and jobs in processes and functions of this program. */
async function start(events: readonly HostEvent[] = []) {
  const lines: [LogFields, string][] = [];
  const keep = (fields: LogFields, message: string): void => void lines.push([fields, message]);
  const signalbox = createSignalbox({
    storage: memoryStorage(),
    secretKey: "correct horse battery staple",
    plugins: [quickKeys, quickPasswords],
    agents: localAgent({ tempDir, quickEverySec: 0, killTimeoutSec: 2 }),
    log: { debug: keep, info: keep, warn: keep, error: keep },
    events,
  });
  running.push(signalbox);
  await signalbox.start();
  const { api } = signalbox;
  return {
    api,
    lines,
    /** Creates an event of the shell plugin with one secret. */
    async script(script: string, fields: { name: string; value: string }[]): Promise<string> {
      const event = await scriptEvent(signalbox, script);
      await api.createSecret({ title: "Backup", fields, events: [event] });
      return event;
    },
    run: (event: string) => runToEnd(signalbox, event),
  };
}

test("a process gets its secrets as variables and in its input, and they are never shown", async () => {
  const { api, lines, run, script } = await start();
  const event = await script(
    `#!/bin/sh
    read -r line
    case "$line" in *'"secrets":{"TOKEN":"'"$TOKEN"'"'*) echo "the input has it";; esac
    echo "length \${#TOKEN}"
    printf 'a part: %s' "$(printf %s "$TOKEN" | cut -c1-8)"; sleep 0.2; printf %s "$TOKEN" | cut -c9-
    env | grep TOKEN
    echo "in base64: $(printf 'user:%s' "$TOKEN" | base64)"
    echo "failed with $TOKEN" >&2
    exit 3`,
    [{ name: "TOKEN", value: VALUE }],
  );
  const job = await run(event);
  const output = String(job["output"]);
  expect(output).toContain("the input has it\n");
  expect(output).toContain(`length ${VALUE.length}\n`);
  expect(output).toContain("a part: ****\n");
  expect(output).toContain("TOKEN=****\n");
  expect(output).toMatch(/in base64: .{0,8}\*\*\*\*.{0,4}\n/);
  expect(job).toMatchObject({ code: 3, description: "Script exited with code: 3: failed with ****" });
  expect(JSON.stringify([job, lines, await api.getJobs({ ids: [String(job["id"])] })])).not.toContain(VALUE);
});

test("secrets take precedence over the environment of a job, and yield to the agent's variables", async () => {
  const { run, script } = await start();
  const fields = [
    { name: "HOME", value: "/of/the/secret" },
    { name: "JOB_ID", value: "of-the-secret" },
    { name: "XYOPS", value: "of-the-secret" },
    { name: "script", value: "of-the-secret" },
  ];
  const job = await run(await script('echo "$HOME|$JOB_ID|$XYOPS|$script"', fields));
  const [home, id, version, text] = String(job["output"]).split("|");
  // The mask replaces /of/the/secret.
  expect([home, id, text?.startsWith("echo")]).toEqual(["****", job["id"], true]);
  expect(version).toMatch(/^\d/);
});

test("a variable that is too large is reported in the meta log, and no secret with its name replaces it", async () => {
  const { api, run, script } = await start();
  const text = `#!/bin/sh
    echo "[\${TOKEN-none}]"`;
  const event = await script(text, [{ name: "TOKEN", value: VALUE }]);
  await api.updateEvent({ id: event, params: { script: text, TOKEN: "x".repeat(140_000) } });
  const job = await run(event);
  expect(job["output"]).toBe("[none]\n");
  expect((job["activity"] as { msg: string }[]).map(({ msg }) => msg)).toContain(
    "WARNING: Variables left out of the environment, as they are too large or no text: TOKEN",
  );
});

test("no file in the folders of a job contains a secret", async () => {
  const { run, script } = await start();
  const event = await script('ls ..; grep -rqF "$TOKEN" .. && echo found || echo "nothing found"', [
    { name: "TOKEN", value: VALUE },
  ]);
  const { output } = await run(event);
  expect(output).toMatch(/script\n(.*\n)*nothing found\n$/);
});

test("a function of the host gets its secrets, and their values are masked in its output", async () => {
  const seen: EventRun<unknown>["secrets"][] = [];
  const report = defineEvent({
    id: "report",
    title: "Report",
    run({ log, progress, secrets }) {
      seen.push(secrets);
      log(`connecting with ${secrets["TOKEN"]}`);
      progress(0.5, `half of ${secrets["TOKEN"]}`);
      return { token: secrets["TOKEN"], rows: 3 };
    },
  });
  const failing = defineEvent({
    id: "failing",
    title: "Failing",
    run({ secrets }) {
      throw new Error(`Not accepted: ${secrets["TOKEN"]}`);
    },
  });
  const { api, lines, run } = await start([report, failing]);
  const fields = [{ name: "TOKEN", value: VALUE }];
  await api.createSecret({ title: "Report", fields, events: ["report"], categories: ["general"] });
  const job = await run("report");
  expect(seen).toEqual([{ TOKEN: VALUE }]);
  expect(job).toMatchObject({ code: 0, output: "connecting with ****\n", data: { token: "****", rows: 3 } });
  const failed = await run("failing");
  expect(failed).toMatchObject({ code: 1, description: "Not accepted: ****" });
  expect(JSON.stringify([job, failed, lines])).not.toContain(VALUE);
});
