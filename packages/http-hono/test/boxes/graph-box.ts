import { memoryBlobStore } from "@signalbox/core";
import type { Plugin, Services } from "@signalbox/core/plugin";
import type { Answer } from "../start.ts";
import { openEngine } from "./fleet-engine.ts";

export type Members = Record<string, unknown>;
type Launched = Parameters<Services["launcher"]["launch"]>[1];

/** Replaces the launcher: records the launches. */
function fakeLauncher() {
  const launched: Launched[] = [];
  const launcher: Services["launcher"] = {
    async launch(_unit, request) {
      launched.push(request);
      return { id: `j${launched.length}`, event: request.event.id, state: "ready", started: 0 };
    },
    launchIdempotent: () => Promise.reject(new Error("Nobody asks for this here")),
    storeLaunched: async () => undefined,
  };
  const plugin: Plugin<readonly []> = { id: "fake-launcher", services: { launcher: () => launcher } };
  return { plugin, launched };
}

export const node = (id: string, type: string, data: unknown = {}) => ({ id, type, x: 10, y: 20, data });
export const wire = (id: string, source: string, dest: string, members: Members = {}) => ({
  id,
  source,
  dest,
  ...members,
});
export const manual = { id: "n1", type: "manual", enabled: true };
const trigger = node("n1", "trigger");
export const mail = { enabled: true, type: "email", users: "admin, ada" };

/** A graph that starts with the trigger and runs the given nodes. */
export const graphOf = (...nodes: Members[]) => ({
  nodes: [trigger, ...nodes],
  connections: nodes.slice(0, 1).map(({ id }) => wire("c1", "n1", String(id))),
});
export const workflowOf = (members: Members = {}) => ({
  ...{ id: "flow", title: "Flow", enabled: true, category: "general", type: "workflow", triggers: [manual] },
  ...{ workflow: graphOf() },
  ...members,
});
const eventOf = (members: Members = {}) => ({
  ...{ title: "Event", enabled: true, category: "general", plugin: "free", targets: ["main"], algo: "random" },
  ...{ triggers: [{ type: "manual", enabled: true }], ...members },
});

const params = [
  { id: "who", title: "Who", type: "text", required: true },
  { id: "size", title: "Size", type: "text", range: "1-3" },
  { id: "word", title: "Word", type: "text", regex: "^a+$" },
];
const secret = (members: Members = {}) => ({
  ...{ id: "secret", title: "Secret", type: "text", value: "preset", locked: true },
  ...members,
});
export const given = { who: "ada" };

export async function openGraphs(name: string) {
  const { launched, plugin } = fakeLauncher();
  const at = await openEngine(name, { blobs: memoryBlobStore(), config: { tz: "UTC" }, plugins: [plugin] });
  const { post } = at.admin;
  const must = async (operation: string, input: Members): Promise<Answer["body"]> => {
    const { body, status } = await post(operation, input);
    if (status !== 200) throw new Error(`${operation}: ${body.description}`);
    return body;
  };
  for (const id of ["mine", "theirs"]) await must("create_category", { id, title: id });
  for (const id of ["web", "db"]) await must("create_group", { id, title: id, hostname_match: "^none$" });
  const program = { title: "Program", type: "event", command: "sh" };
  await must("create_plugin", { ...program, id: "free" });
  await must("create_plugin", { ...program, id: "strict", params });
  await must("create_plugin", { ...program, id: "lock", params: [secret()] });
  await must("create_plugin", { ...program, id: "act", type: "action", params });
  await must("create_event", eventOf({ id: "asks", fields: params }));
  await must("create_event", eventOf({ id: "own", category: "mine", targets: ["web"] }));
  await must("create_event", eventOf({ id: "foreign", category: "theirs", targets: ["db"] }));
  await must("create_event", eventOf({ id: "locked", plugin: "lock", params: { secret: "event's" } }));
  const caller = async (privileges: readonly string[], limits: Members = {}) => {
    const given = Object.fromEntries(privileges.map((id) => [id, true]));
    const { plain_key: key } = await must("create_api_key", { title: "Caller", privileges: given, ...limits });
    const headers = { "x-api-key": key, "content-type": "application/json" };
    return async (operation: string, input: Members) => {
      const body = JSON.stringify(input);
      const { body: answer, status } = await at.send(`/api/app/${operation}/v1`, { method: "POST", headers, body });
      return { ...answer, status };
    };
  };
  return { ...at, post, must, launched, caller };
}
