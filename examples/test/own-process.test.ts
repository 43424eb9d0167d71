import { afterEach, expect, test, vi } from "vitest";
import { dropOwnVariables, ownFlags, ownVariables } from "../lib/own-process.ts";

/** New objects begin as young ones, whatever others of their kind became. */
const YOUNG = "--no-allocation-site-pretenuring";

afterEach(() => vi.unstubAllEnvs());

test.each([
  ["nothing was chosen", ["--import", "x"], {}, ["--max-semi-space-size=8", YOUNG]],
  ["the command chose", ["--max-semi-space-size=32"], {}, [YOUNG]],
  ["the other spelling chose", ["--max_semi_space_size=32"], {}, [YOUNG]],
  ["the variable of Node chose", [], { NODE_OPTIONS: "--max-semi-space-size=32" }, [YOUNG]],
  ["little memory", [], { SIGNALBOX_MEMORY: "small" }, ["--max-semi-space-size=8", YOUNG, "--heap-growing-percent=50"]],
])(
  "the space of new objects is bounded unless somebody chose it, that of old ones on demand: %s",
  (_case, given, variables, flags) => {
    expect(ownFlags(given, variables)).toEqual(flags);
  },
);

test("variables that are set stay, and no child inherits the others", () => {
  const own = ownVariables({ MALLOC_ARENA_MAX: "8" });
  expect(own).not.toHaveProperty("MALLOC_ARENA_MAX");
  vi.stubEnv("MALLOC_ARENA_MAX", "8");
  for (const [name, value] of Object.entries(own)) vi.stubEnv(name, value);
  dropOwnVariables();
  const left = Object.keys(own).filter((name) => process.env[name] !== undefined);
  expect(left).toEqual([]);
  expect(process.env["MALLOC_ARENA_MAX"]).toBe("8");
});

test("a variable that was named from outside is dropped when it is one of these alone", () => {
  vi.stubEnv("SIGNALBOX_GIVEN", "PATH MALLOC_ARENA_MAX");
  vi.stubEnv("MALLOC_ARENA_MAX", "2");
  const { PATH } = process.env;
  dropOwnVariables();
  expect(process.env["PATH"]).toBe(PATH);
  expect(process.env["MALLOC_ARENA_MAX"]).toBeUndefined();
});
