import { describe, expect, test } from "vitest";
import { keyWith, refusalOf, startEngine } from "../../../test/engine.ts";

describe("plugins", () => {
  test("a fresh store holds the presets", async () => {
    await using engine = await startEngine();
    const { rows, list } = await engine.as(keyWith([])).getPlugins();
    expect(rows.map(({ id, type }) => `${type}:${id}`)).toEqual([
      "event:shellplug",
      "event:httpplug",
      "event:testplug",
      "event:dockerplug",
      "event:hookplug",
      "monitor:open_files",
    ]);
    expect(list).toEqual({ length: 6 });
  });

  test("the shell plugin asks for a locked script", async () => {
    await using engine = await startEngine();
    const { plugin } = await engine.api.getPlugin({ id: "shellplug" });
    expect(plugin).toMatchObject({ command: "[shell-plugin]", enabled: true, kill: "all", username: "admin" });
    expect(plugin.params).toMatchObject([{ id: "script", locked: true, required: true }, { id: "annotate" }]);
  });

  test("an unknown id is not found", async () => {
    await using engine = await startEngine();
    expect(await refusalOf(engine.api.getPlugin({ id: "nope" }))).toEqual({
      code: "notfound",
      description: "Failed to locate plugin: nope",
    });
  });

  test("a store without presets has none", async () => {
    await using engine = await startEngine({ config: { presets: false } });
    expect((await engine.api.getPlugins()).rows).toEqual([]);
  });
});
