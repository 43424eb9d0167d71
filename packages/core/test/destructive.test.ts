import { expect, test } from "vitest";
import { builtins } from "../src/engine/builtins.ts";
import { createRegistry } from "../src/kernel/calls/registry.ts";
import { keyWith, refusalOf, startEngine } from "./engine.ts";

/** Names of operations that remove or end something. */
const DESTRUCTIVE = /^(user\/)?(bulk_search_delete|delete|admin_delete|flush|empty|abort|admin_logout|logout)(_|$)/;
/** Operations that end the session with which they are called. */
const NAMED_BY_CREDENTIALS = ["user/logout"];

/** Refusals in the contract's own words. */
const IN_OWN_WORDS: Readonly<Record<string, object>> = {
  admin_delete_data: { code: "admin", description: "No data selected for deletion." },
};

const { operations } = createRegistry([...builtins]);
const destructive = [...operations.keys()].filter((name) => DESTRUCTIVE.test(name));
const bulk = destructive.filter((name) => name.startsWith("bulk_"));
const administrator = keyWith(["admin"]);

test("there are destructive operations to test", () => {
  expect(destructive.length).toBeGreaterThan(20);
  expect(bulk).toEqual(expect.arrayContaining(["bulk_search_delete_jobs", "bulk_search_delete_tickets"]));
});

test.each(destructive.filter((name) => !NAMED_BY_CREDENTIALS.includes(name)))(
  "%s does nothing without the parameters that select its records",
  async (name) => {
    await using engine = await startEngine();
    for (const input of [undefined, {}])
      expect(await refusalOf(engine.execute({ operation: name, input, actor: administrator }))).toEqual(
        IN_OWN_WORDS[name] ?? { code: "api", description: expect.stringMatching(/^Missing parameter: \w+$/) },
      );
  },
);

test.each(bulk)("%s accepts only a query that is a text", async (name) => {
  await using engine = await startEngine();
  const attempt = (query: unknown) =>
    refusalOf(engine.execute({ operation: name, input: { query }, actor: administrator }));
  for (const query of [undefined, null, "", " \t"])
    expect(await attempt(query)).toEqual({ code: "api", description: "Missing parameter: query" });
  for (const query of [0, true, {}, []])
    expect(await attempt(query)).toEqual({ code: "api", description: "Parameter is not type string: query" });
});
