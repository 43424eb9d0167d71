import { describe, expect, test } from "vitest";
import { refusalOf, startEngine } from "../../../test/engine.ts";
import { AccessError } from "../errors/errors.ts";
import { hooksFor, type OperationHook } from "./hooks.ts";

describe("hooksFor", () => {
  test.each<[string, string, boolean]>([
    ["create_tag", "create_tag", true],
    ["create_tag", "create_tags", false],
    ["create_*", "create_tag", true],
    ["create_*", "update_tag", false],
    ["*_tag", "delete_tag", true],
    ["*", "anything", true],
    ["create_*_tag", "create_tag", false],
    ["create_*tag", "create_tag", true],
    ["a*b*c", "abc", false],
    ["", "x", false],
  ])("%j on %s: %s", (operation, name, expected) => {
    expect(hooksFor([{ operation }], name)).toHaveLength(expected ? 1 : 0);
  });

  test("keeps the order of registration", () => {
    const [first, second] = [{ operation: "create_*" }, { operation: "*" }];
    expect(hooksFor([first, { operation: "x" }, second], "create_tag")).toEqual([first, second]);
  });
});

const engineWith = (...hooks: OperationHook[]) => startEngine({ plugins: [{ id: "acme.hooks", hooks }] });
const tagIds = async (engine: Awaited<ReturnType<typeof engineWith>>) =>
  (await engine.api.getTags()).rows.map(({ id }) => id);

describe("hooks around a command", () => {
  test("a before hook changes the input, and the next one gets the change", async () => {
    await using engine = await engineWith(
      { operation: "create_tag", before: (input) => ({ ...input, title: `${input["title"]}!` }) },
      { operation: "create_*", before: (input) => ({ ...input, title: `${input["title"]}?` }) },
    );
    expect((await engine.api.createTag({ id: "x", title: "A" })).tag.title).toBe("A!?");
  });

  test("a changed input is checked like a sent one", async () => {
    await using engine = await engineWith({ operation: "create_tag", before: (input) => ({ ...input, title: "" }) });
    expect(await refusalOf(engine.api.createTag({ id: "x", title: "A" }))).toEqual({
      code: "api",
      description: "Malformed parameter: title",
    });
  });

  test("a before hook vetoes by throwing", async () => {
    await using engine = await engineWith({
      operation: "create_tag",
      before: () => {
        throw new AccessError("Not on Fridays.");
      },
    });
    expect(await refusalOf(engine.api.createTag({ id: "x", title: "A" }))).toEqual({
      code: "access",
      description: "Not on Fridays.",
    });
    expect(await tagIds(engine)).not.toContain("x");
  });

  test("an after hook gets the output and its veto rolls everything back", async () => {
    const seen: unknown[] = [];
    const events: string[] = [];
    await using engine = await engineWith({
      operation: "create_tag",
      async after(output, { tx, emit }, operation) {
        seen.push(operation, output);
        await tx.counter("from-hook");
        emit("tag.deleted", { id: "from-hook" });
        throw new AccessError("Undone.");
      },
    });
    engine.events.on("*", (type) => void events.push(type));
    expect((await refusalOf(engine.api.createTag({ id: "x", title: "A" }))).description).toBe("Undone.");
    expect(seen).toMatchObject(["create_tag", { tag: { id: "x" } }]);
    expect(await tagIds(engine)).not.toContain("x");
    expect(events).toEqual([]);
  });

  test("writes of an after hook are committed with the command", async () => {
    const counts: number[] = [];
    await using engine = await engineWith({
      operation: "*_tag",
      async after(_output, { tx }) {
        counts.push(await tx.counter("tags"));
      },
    });
    await engine.api.createTag({ id: "x", title: "A" });
    await engine.api.deleteTag({ id: "x" });
    expect(counts).toEqual([1, 2]);
  });

  test("are not run for queries", async () => {
    let calls = 0;
    await using engine = await engineWith({ operation: "*", before: () => void calls++, after: () => void calls++ });
    await engine.api.getTags();
    expect(calls).toBe(0);
  });
});
