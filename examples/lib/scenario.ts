import { createSignalbox } from "@signalbox/core";
import type { Storage } from "@signalbox/core/storage";

/** The same program on any storage: records, how a host sees them, and data that survive a restart. */
export async function playScenario(storage: Storage): Promise<string> {
  const signalbox = createSignalbox({ storage, secretKey: "only for this example" });
  await signalbox.start();
  const { tag } = await signalbox.api.createTag({ id: "nightly", title: "Nightly" });
  await signalbox.api.updateTag({ id: tag.id, notes: "Runs while everybody sleeps" });
  const { event } = await signalbox.api.createEvent({
    id: "backup",
    title: "Backup",
    enabled: true,
    category: "general",
    plugin: "shellplug",
    params: { script: "#!/bin/sh\necho saved\n" },
    tags: [tag.id],
    targets: ["main"],
    algo: "random",
    triggers: [{ type: "schedule", enabled: true, hours: [2], minutes: [30] }],
  });
  const { tag: stored } = await signalbox.api.getTag({ id: tag.id });
  const { rows } = await signalbox.api.getEvents();
  await signalbox.stop();
  return `${storage.name}: tag revision ${stored.revision}, event ${event.id}, ${rows.length} event(s) stored`;
}
