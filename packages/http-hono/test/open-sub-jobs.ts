import { openFlows } from "./open-flows.ts";

export type Members = Record<string, unknown>;

export const eventNode = (event: string, more: Members = {}) => ({ type: "event", data: { event, ...more } });

export const jobNode = (more: Members = {}) => ({
  type: "job",
  data: { plugin: "shellplug", category: "general", targets: ["s1"], params: { script: "true" }, ...more },
});

export const action = (data: object) => ({ type: "action", data: { enabled: true, ...data } });

export const limit = (data: object) => ({ type: "limit", data: { enabled: true, ...data } });

export const tagged = (...tags: string[]) => action({ type: "tag", tags });

/** An engine with an event that graph nodes refer to. */
export async function open(storage: string, config: Members = {}) {
  const at = await openFlows(storage, config);
  await at.must("create_category", {
    ...{ id: "cat", title: "Cat", limits: [{ enabled: true, type: "time", duration: 500 }] },
    actions: [{ enabled: true, condition: "critical", type: "tag", tags: ["important"] }],
  });
  const event = {
    ...{ id: "e1", title: "E", enabled: true, category: "cat", plugin: "shellplug", targets: ["s1"], algo: "random" },
    ...{ tags: ["flag"], triggers: [], params: { script: "true", own: 1, both: "event" }, notes: "N" },
    actions: [{ enabled: true, condition: "error", type: "tag", tags: ["flag"] }],
    limits: [{ enabled: true, type: "log", amount: 1_000_000 }],
  };
  await at.must("create_event", event);
  return at;
}
