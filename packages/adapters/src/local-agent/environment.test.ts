import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { buildEnvironment, inheritedEnvironment, leftOutText } from "./environment.ts";

const empty = { inherited: {}, agent: {}, job: {}, details: {}, secrets: {}, facts: {}, account: {} };
const account = { username: "ops", homedir: "/home/ops", shell: "/bin/bash" };

test("a value that is too large for the kernel is left out, and the rest stays", () => {
  const { env } = buildEnvironment({ ...empty, job: { params: { big: "x".repeat(200_000), small: "y" } } });
  expect(env).toEqual({ small: "y" });
});

test("a value that is left out leaves no other value with its name, and is reported", () => {
  const big = "x".repeat(200_000);
  const built = buildEnvironment({ ...empty, secrets: { TOKEN: "old" }, job: { params: { TOKEN: big, small: "y" } } });
  expect(built).toEqual({ env: { small: "y" }, leftOut: ["TOKEN"] });
  expect(leftOutText([])).toBeUndefined();
  const told = "WARNING: Variables left out of the environment, as they are too large or no text: ";
  expect(leftOutText(["TOKEN"])).toBe(`${told}TOKEN`);
  const names = Array.from({ length: 12 }, (_, index) => `v${index}`);
  expect(leftOutText(names)).toBe(`${told}${names.slice(0, 10).join(", ")} and 2 more`);
});

test("a value that replaces a large one needs no space for both", () => {
  const job = {
    params: Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`p${index}`, "x".repeat(130_000)])),
  };
  const { leftOut } = buildEnvironment({ ...empty, secrets: { p0: "y".repeat(130_000) }, job });
  expect(leftOut).toEqual([]);
});

test("all values together stay below the limit of the kernel", () => {
  const params = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${index}`, "x".repeat(100_000)]));
  const { env } = buildEnvironment({ ...empty, job: { params } });
  expect(Object.values(env).join("").length).toBeLessThanOrEqual(1_000_000);
});

test.runIf(process.platform === "linux")("a program starts with any number of variables", () => {
  const data = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`calls_of_host_number_${index}`, 1]));
  const { env } = buildEnvironment({ ...empty, details: { input: { data } } });
  expect(spawnSync("/bin/sh", ["-c", "echo ran"], { env: { ...env }, encoding: "utf8" })).toMatchObject({
    stdout: "ran\n",
  });
});

test("names and values that no environment can contain are left out", () => {
  const { env } = buildEnvironment({ ...empty, secrets: { "A=B": "1", "": "2", NUL: "a\0b", OK: "3" } });
  expect(env).toEqual({ OK: "3" });
});

test("numbers, flags, null and objects become text", () => {
  const params = { n: 1.5, yes: true, none: null, list: [1, "a"] };
  expect(buildEnvironment({ ...empty, job: { params } }).env).toEqual({
    n: "1.5",
    yes: "true",
    none: "",
    list: '[1,"a"]',
  });
});

test("the start has the user, the common folders after the given ones, and nothing of the host", () => {
  expect(inheritedEnvironment({ PATH: "/opt/bin:/bin", LANG: "C" }, account)).toEqual({
    USER: "ops",
    LOGNAME: "ops",
    HOME: "/home/ops",
    SHELL: "/bin/bash",
    LANG: "C",
    PATH: "/opt/bin:/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin",
  });
});
