import { expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../test/engine.ts";
import { basic, setUp } from "../../../test/work/event-setup.ts";

const acting = (params: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  actions: [{ enabled: true, condition: "error", type: "plugin", plugin_id: "act", params, ...more }],
});
const locked = (index: number, id: string) => ({
  code: "api",
  description: `Malformed action entry #${index}: Parameter '${id}' is locked: only administrators may choose its value.`,
});

async function start() {
  const at = await setUp();
  const params = [
    { id: "command", type: "text", title: "Command", value: "true", locked: true },
    { id: "word", type: "text", title: "Word", value: "" },
  ];
  await at.api.createPlugin({ id: "act", title: "Act", type: "action", command: "sh", params } as never);
  const fields = [{ id: "target", type: "text", title: "Target", value: "test", locked: true }];
  await at.api.createEvent({ ...basic, id: "deploy", fields } as never);
  await at.api.createEvent({ ...basic, plugin: "_function", params: {} });
  return { ...at, writer: at.as(keyWith(["edit_categories", "edit_events", "run_jobs"])) };
}

test("locked parameters of an action plugin keep their default, unless an administrator chose another value", async () => {
  await using at = await start();
  const { api, writer } = at;
  const update = (members: object) => writer.updateEvent({ id: "backup", ...members } as never);
  expect(await refusalOf(update(acting({ command: "rm" })))).toEqual(locked(1, "command"));
  await update(acting({ command: "true", word: "a" }));
  await api.updateEvent({ id: "backup", ...acting({ command: "chosen" }) } as never);
  await update(acting({ command: "chosen" }, { condition: "success" }));
  expect(await refusalOf(update(acting({ command: "rm" })))).toEqual(locked(1, "command"));
});

test.each([
  ["a category", "updateCategory", "general"],
  ["a run", "runEvent", "backup"],
] as const)("the actions of %s cannot choose locked values either", async (_what, operation, id) => {
  await using at = await start();
  const write = (actions: object) => at.writer[operation]({ id, ...actions } as never);
  expect(await refusalOf(write(acting({ command: "rm" })))).toEqual(locked(1, "command"));
  const starting = { enabled: true, condition: "error", type: "run_event", event_id: "deploy" };
  const choosing = { actions: [{ ...starting, params: { target: "production" } }] };
  expect(await refusalOf(write(choosing))).toEqual(locked(1, "target"));
  await write({ actions: [{ ...starting, params: { target: "test" } }] });
});
