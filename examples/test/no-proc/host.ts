/** A host on a machine without `/proc`, like macOS and Windows: runs one script, prints what it measured, and ends. */
import { accessSync } from "node:fs";
import { localAgent } from "@signalbox/adapters/local-agent";
import { createSignalbox } from "@signalbox/core";
import { sqliteStorage } from "@signalbox/storage-sqlite";

function isHidden(): boolean {
  try {
    accessSync("/proc/stat");
    return false;
  } catch {
    return true;
  }
}
const [filename = ""] = process.argv.slice(2);
const signalbox = createSignalbox({
  storage: sqliteStorage({ filename }),
  agents: localAgent({ minuteEverySec: 0.5, quickEverySec: 0 }),
  secretKey: "only for this test, long enough",
});
// The engine's timers keep no process alive; a host's server would.
const held = setInterval(() => undefined, 1000);
const ended = new Promise<string>((resolve) => signalbox.events.on("job.completed", ({ id }) => resolve(id)));
const measured = new Promise((resolve) => signalbox.events.on("server.minute", resolve));
await signalbox.start();
const { event } = await signalbox.api.createEvent({
  title: "T",
  enabled: true,
  category: "general",
  plugin: "shellplug",
  targets: ["local"],
  algo: "random",
  params: { script: "#!/bin/sh\necho hello" },
  triggers: [{ type: "manual", enabled: true }],
});
await measured;
await signalbox.api.runEvent({ id: event.id });
const { job } = await signalbox.api.getJob({ id: await ended });
const { data } = await signalbox.api.getServer({ id: "local" });
const readings = data.data as Record<string, Record<string, unknown>>;
console.log(
  JSON.stringify({
    hidden: isHidden(),
    code: job["code"],
    memory: readings["memory"]?.["total"],
    cores: readings["cpu"]?.["cores"],
  }),
);
await signalbox.stop();
clearInterval(held);
