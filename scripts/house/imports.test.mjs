import { describe, expect, test } from "vitest";
import { forbiddenImports } from "./imports.mjs";

const CORE = "packages/core/src";
const DOMAIN = `${CORE}/directory/planted`;
const found = (path, module) => forbiddenImports("/r", `/r/${path}`, `import { one } from "${module}";\n`);

describe("the plan forbids", () => {
  test.each([
    ["a database in core", `${DOMAIN}/operations.ts`, "kysely", "core knows no adapter"],
    ["a part of a framework in core", `${CORE}/wire/planted.ts`, "hono/cors", "core knows no adapter"],
    ["an adapter in core", `${DOMAIN}/service.ts`, "@signalbox/adapters/local-agent", "core knows no adapter"],
    ["files of the machine in core", `${CORE}/lib/planted.ts`, "node:fs/promises", "core knows no adapter"],
    ["the container's module elsewhere", `${CORE}/kernel/event-bus.ts`, "awilix", "only kernel/container.ts"],
    ["the kernel in rules", `${DOMAIN}/rules.ts`, "../../kernel/errors.ts", "model and rules are pure"],
    [
      "the kernel in a folder of rules",
      `${DOMAIN}/rules/a.ts`,
      "../../../kernel/errors.ts",
      "model and rules are pure",
    ],
    ["a module of Node in a model", `${DOMAIN}/model.ts`, "node:crypto", "model and rules are pure"],
    ["services of the same domain in rules", `${DOMAIN}/rules/a.ts`, "../services/b.ts", "model and rules are pure"],
    ["a service of another domain", `${DOMAIN}/operations.ts`, "../activity/service.ts", "reach another domain"],
    ["services of another floor", `${DOMAIN}/a/b.ts`, "../../../work/jobs/services/c.ts", "reach another domain"],
    ["operations of another domain", `${CORE}/desk/x/index.ts`, "../tickets/operations/y.ts", "reach another domain"],
    ["a storage in a domain", `${DOMAIN}/service.ts`, "../../memory/memory-storage.ts", "domains use ports"],
    ["a domain in the kernel", `${CORE}/kernel/a.ts`, "../directory/tags/collection.ts", "knows none of them"],
    ["a domain in a helper", `${CORE}/lib/a.ts`, "../work/jobs/model.ts", "knows none of them"],
    ["sources of another package", "packages/http-hono/src/a.ts", "@signalbox/core/src/index.ts", "entry points"],
    ["files of another package", "packages/http-hono/src/a.ts", "../../core/src/index.ts", "entry points"],
    ["an adapter in the router", "packages/http-hono/src/a.ts", "@signalbox/adapters/blobs", "depend on core only"],
    ["the engine in pages", "packages/dashboard/src/app/pages/a.tsx", "@signalbox/core", "the client alone"],
    ["a page in parts", "packages/dashboard/src/app/parts/a.tsx", "../pages/b.tsx", "know no page"],
  ])("%s", (_what, path, module, why) => {
    expect(found(path, module)).toEqual([expect.stringContaining(why)]);
  });
});

describe("the plan allows", () => {
  test.each([
    ["rules of another domain", `${DOMAIN}/rules.ts`, "../tags/rules.ts"],
    ["types of the kernel's services", `${DOMAIN}/service.ts`, "../../kernel/services.ts"],
    ["the container's module in its file", `${CORE}/kernel/container.ts`, "awilix"],
    ["ciphers where secrets are encrypted", `${CORE}/directory/secrets/rules/crypto.ts`, "node:crypto"],
    ["a module that begins like a forbidden one", `${CORE}/lib/planted.ts`, "node:https-like"],
    ["everything in tests' tools", `${CORE}/testing/box.ts`, "../work/jobs/service.ts"],
    ["the word kernel in the name of a file", `${DOMAIN}/rules.ts`, "./kernel.ts"],
    ["a package by its entry point", "packages/http-hono/src/a.ts", "@signalbox/core/adapter"],
  ])("%s", (_what, path, module) => {
    expect(found(path, module)).toEqual([]);
  });
});

test("types, lazy imports and whole modules are seen, too", () => {
  const text = 'import type { A } from "kysely";\nimport "pg";\nexport * from "ws";\nconst b = await import("hono");\n';
  expect(forbiddenImports("/r", `/r/${CORE}/lib/a.ts`, text)).toHaveLength(4);
});
