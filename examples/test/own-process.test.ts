import { spawnSync } from "node:child_process";
import { afterEach, expect, test, vi } from "vitest";
import { dropOwnVariables, OWN_FLAGS, ownArguments, ownVariables } from "../lib/own-process.ts";

afterEach(() => vi.unstubAllEnvs());

test.each([
  ["nothing was chosen", ["--import", "x"], {}, ["--max-semi-space-size=4"]],
  ["the command chose", ["--max-semi-space-size=32"], {}, []],
  ["the other spelling chose", ["--max_semi_space_size=32"], {}, []],
  ["the variable of Node chose", [], { NODE_OPTIONS: "--max-semi-space-size=32" }, []],
])("the space of new objects is limited unless it is configured: %s", (_case, given, variables, args) => {
  expect(ownArguments(given, variables)).toEqual(args);
});

test.each([
  ["knows all flags", OWN_FLAGS, ""],
  ["does not know one", ["--no-such-flag", ...OWN_FLAGS], "Error: unrecognized flag --no-such-flag"],
])("a process whose engine %s continues", (_case, flags, complaint) => {
  const module = JSON.stringify(new URL("../lib/own-process.ts", import.meta.url));
  const program = `import { setFlags } from ${module}; setFlags(${JSON.stringify(flags)}); console.log("goes on");`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
  });
  expect([status, stdout, stderr.split("\n", 1)[0]]).toEqual([0, "goes on\n", complaint]);
});

test("existing variables stay, and no child inherits the others", () => {
  const own = ownVariables({ MALLOC_ARENA_MAX: "8" });
  expect(own).not.toHaveProperty("MALLOC_ARENA_MAX");
  vi.stubEnv("MALLOC_ARENA_MAX", "8");
  for (const [name, value] of Object.entries(own)) vi.stubEnv(name, value);
  dropOwnVariables();
  const left = Object.keys(own).filter((name) => process.env[name] !== undefined);
  expect(left).toEqual([]);
  expect(process.env["MALLOC_ARENA_MAX"]).toBe("8");
});

test("a variable named from outside is removed only if it is one of these", () => {
  vi.stubEnv("SIGNALBOX_GIVEN", "PATH MALLOC_ARENA_MAX");
  vi.stubEnv("MALLOC_ARENA_MAX", "2");
  const { PATH } = process.env;
  dropOwnVariables();
  expect(process.env["PATH"]).toBe(PATH);
  expect(process.env["MALLOC_ARENA_MAX"]).toBeUndefined();
});
