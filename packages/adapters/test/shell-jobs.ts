import type { createSignalbox } from "@signalbox/core";

type Engine = Pick<ReturnType<typeof createSignalbox>, "api" | "events">;

/** Creates an event that runs a script on this machine; resolves to its id. */
export async function scriptEvent({ api }: Engine, script: string, members: object = {}): Promise<string> {
  const { event } = await api.createEvent({
    ...{ title: "Backup", enabled: true, category: "general", plugin: "shellplug", targets: ["local"] },
    ...{ algo: "random", params: { script }, triggers: [{ type: "manual", enabled: true }], ...members },
  } as never);
  return event.id;
}

/** Runs an event; resolves to its job once that has ended. */
export async function runToEnd({ api, events }: Engine, event: string): Promise<Record<string, unknown>> {
  const ended = new Map<string, () => void>();
  const done = new Set<string>();
  events.on("job.completed", ({ id }) => {
    done.add(id);
    ended.get(id)?.();
  });
  const { id } = await api.runEvent({ id: event });
  await new Promise<void>((resolve) => (done.has(id) ? resolve() : void ended.set(id, resolve)));
  return (await api.getJob({ id })).job;
}
