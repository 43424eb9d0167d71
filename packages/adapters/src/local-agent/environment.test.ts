import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { buildEnvironment, inheritedEnvironment } from "./environment.ts";

const empty = { inherited: {}, agent: {}, job: {}, details: {}, secrets: {}, facts: {}, account: {} };
const account = { username: "ops", homedir: "/home/ops", shell: "/bin/bash" };

test("a value that is too large for the kernel is left out, the rest stays", () => {
  const env = buildEnvironment({ ...empty, job: { params: { big: "x".repeat(200_000), small: "y" } } });
  expect(env).toEqual({ small: "y" });
});

test("all values together stay below the limit of the kernel", () => {
  const params = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${index}`, "x".repeat(100_000)]));
  const env = buildEnvironment({ ...empty, job: { params } });
  expect(Object.values(env).join("").length).toBeLessThanOrEqual(1_000_000);
});

test.runIf(process.platform === "linux")("a program starts with any number of variables", () => {
  const data = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`calls_of_host_number_${index}`, 1]));
  const env = buildEnvironment({ ...empty, details: { input: { data } } });
  expect(spawnSync("/bin/sh", ["-c", "echo ran"], { env: { ...env }, encoding: "utf8" })).toMatchObject({
    stdout: "ran\n",
  });
});

test("names and values that no environment can hold are left out", () => {
  const env = buildEnvironment({ ...empty, secrets: { "A=B": "1", "": "2", NUL: "a\0b", OK: "3" } });
  expect(env).toEqual({ OK: "3" });
});

test("numbers, flags, null and objects become text", () => {
  const params = { n: 1.5, yes: true, none: null, list: [1, "a"] };
  expect(buildEnvironment({ ...empty, job: { params } })).toEqual({ n: "1.5", yes: "true", none: "", list: '[1,"a"]' });
});

test("the start has the user, the common folders behind the given ones, and nothing of the host", () => {
  expect(inheritedEnvironment({ PATH: "/opt/bin:/bin", LANG: "C" }, account)).toEqual({
    USER: "ops",
    LOGNAME: "ops",
    HOME: "/home/ops",
    SHELL: "/bin/bash",
    LANG: "C",
    PATH: "/opt/bin:/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin",
  });
});
