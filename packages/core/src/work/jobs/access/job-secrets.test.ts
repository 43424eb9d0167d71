import { describe, expect, test } from "vitest";
import { recordingLogger } from "../../../../test/engine.ts";
import type { SecretVariable } from "../../../directory/secrets/model.ts";
import { findMask, hasSecrets, openSecrets } from "./job-secrets.ts";

const secret = (name: string, value: string, masked = true): SecretVariable => ({ name, value, masked });

/** Secrets by `type:id`, and the keys that were requested. */
function setUp(assigned: Readonly<Record<string, readonly SecretVariable[] | Error>>) {
  const asked: string[] = [];
  const log = recordingLogger();
  const parents: Record<string, unknown> = { flow: { id: "flow", category: "flows" } };
  return {
    asked,
    log,
    eventRecords: { get: (id: string) => parents[id] } as never,
    vault: {
      assigned: (type: string, id: string) => (assigned[`${type}:${id}`] ? ([{}] as never) : []),
      async variables(type: string, id: string) {
        asked.push(`${type}:${id}`);
        const found = assigned[`${type}:${id}`] ?? [];
        if (found instanceof Error) throw found;
        return found;
      },
    },
  };
}

const job = { id: "j1", event: "e1", category: "c1", plugin: "p1" };
const shown = (mask: Awaited<ReturnType<typeof findMask>>, text: string): string =>
  mask === "none" ? text : mask.text(text);

describe("the secrets of a job", () => {
  test("come from its event, its category and its plugin, and the later source wins", async () => {
    const deps = setUp({
      "events:e1": [secret("A", "event"), secret("B", "event"), secret("C", "event")],
      "categories:c1": [secret("B", "category"), secret("C", "category")],
      "plugins:p1": [secret("C", "plugin")],
      "events:e2": [secret("X", "another event")],
    });
    const { environment } = await openSecrets(deps, job);
    expect(environment).toEqual({ A: "event", B: "category", C: "plugin" });
    expect(deps.asked).toEqual(["events:e1", "categories:c1", "plugins:p1"]);
  });

  test("of a sub-job come from its workflow as well, whose values yield to its own", async () => {
    const all = (value: string): SecretVariable[] => [secret("V", value), secret(value.toUpperCase(), value)];
    const deps = setUp({
      "events:flow": all("parent"),
      "events:e1": all("own"),
      "categories:flows": all("above"),
    });
    const step = { ...job, workflow: { event: "flow", job: "j0", node: "n1" } };
    const { environment } = await openSecrets(deps, step);
    expect(environment).toEqual({ V: "above", PARENT: "parent", OWN: "own", ABOVE: "above" });
    expect(deps.asked).toEqual(["events:flow", "events:e1", "categories:flows", "categories:c1", "plugins:p1"]);
  });

  test("are decrypted once where sub-job and workflow have the same", async () => {
    const deps = setUp({ "events:flow": [secret("A", "once")] });
    await openSecrets(deps, { ...job, event: "flow", category: "flows", workflow: { event: "flow" } });
    expect(deps.asked).toEqual(["events:flow", "categories:flows", "plugins:p1"]);
  });

  test("are empty for a workflow itself", async () => {
    const deps = setUp({ "events:e1": [secret("A", "value")] });
    const workflow = { ...job, type: "workflow" };
    expect(hasSecrets(deps, workflow)).toBe(false);
    expect(await openSecrets(deps, workflow)).toEqual({ environment: {}, mask: "none" });
    expect(deps.asked).toEqual([]);
  });

  test("are looked up without decrypting them", () => {
    const deps = setUp({ "plugins:p1": [secret("A", "value")] });
    expect([hasSecrets(deps, job), hasSecrets(deps, { ...job, plugin: "p2" })]).toEqual([true, false]);
    expect(deps.asked).toEqual([]);
  });

  test("are left out when they cannot be decrypted, and the log says so", async () => {
    const fault = new Error("The storage is gone");
    const deps = setUp({ "events:e1": fault, "plugins:p1": [secret("A", "value")] });
    expect((await openSecrets(deps, job)).environment).toEqual({ A: "value" });
    expect(deps.log.lines).toMatchObject([
      { level: "error", fields: { job: "j1", layer: ["events", "e1"], error: fault } },
    ]);
  });
});

describe("the mask of a job", () => {
  test("hides the values that are long enough to hide", async () => {
    const deps = setUp({ "events:e1": [secret("A", "hunter2"), secret("B", "public", false)] });
    const { mask } = await openSecrets(deps, job);
    expect(shown(mask, "hunter2 is no public word")).toBe("**** is no public word");
    expect(shown(await findMask(deps, job), "hunter2")).toBe("****");
  });

  test("is undefined when nothing can be hidden", async () => {
    const deps = setUp({ "events:e1": [secret("A", "abc"), secret("B", "public", false)] });
    expect((await openSecrets(deps, job)).mask).toBe("none");
  });

  test("is not guessed when the values cannot be known", async () => {
    const deps = setUp({ "events:e1": new Error("The storage is gone") });
    await expect(findMask(deps, job)).rejects.toThrow("The storage is gone");
  });
});
