import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** Runs a program in a separate process, which an unhandled rejection may end. */
function run(program: string, flags: readonly string[] = []) {
  const source = `
    import { setTimeout as sleep } from "node:timers/promises";
    import { createLeftPromises } from ${JSON.stringify(new URL("left-promises.ts", import.meta.url).href)};
    const make = (name) => createLeftPromises((owner, reason) => console.log(name, owner, reason.message));
    ${program}`;
  const all = ["--conditions=@signalbox/source", ...flags, "--input-type=module", "-e", source];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { encoding: "utf8" });
  return { status, stdout: stdout.trim().split("\n").filter(Boolean), stderr };
}

const REJECTS = "(async () => { await sleep(1); throw new Error('left'); })()";

test("a rejection that a function did not handle is logged with its owner, and the process lives", () => {
  const { status, stdout } = run(`
    const left = make("one");
    await left.run("job1", async () => { void ${REJECTS}; });
    await sleep(20);
    left.stop();
    console.log("lives", process.listenerCount("unhandledRejection"));`);
  expect(stdout).toEqual(["one job1 left", "lives 0"]);
  expect(status).toBe(0);
});

test("of two engines only the owner of a rejection logs it", () => {
  const { status, stdout } = run(`
    const [one, two] = [make("one"), make("two")];
    one.run("a", () => undefined);
    two.run("b", () => void ${REJECTS});
    await sleep(20);`);
  expect(stdout).toEqual(["two b left"]);
  expect(status).toBe(0);
});

test("an unhandled rejection of the host ends its process as it would without us", () => {
  const { status, stdout, stderr } = run(`
    const [one, two] = [make("one"), make("two")];
    one.run("a", () => undefined);
    two.run("b", () => undefined);
    void ${REJECTS};
    await sleep(20);
    console.log("lives");`);
  expect([status, stdout]).toEqual([1, []]);
  expect(stderr).toContain("Error: left");
});

test("an unhandled rejection of the host goes to the host's listener, where there is one", () => {
  const { status, stdout } = run(`
    process.on("unhandledRejection", ({ message }) => console.log("host", message));
    make("one").run("a", () => undefined);
    void ${REJECTS};
    await sleep(20);`);
  expect(stdout).toEqual(["host left"]);
  expect(status).toBe(0);
});

test("an unhandled rejection of the host gives a warning where Node is configured so", () => {
  const { status, stderr } = run(
    `make("one").run("a", () => undefined);
    void ${REJECTS};
    await sleep(20);`,
    ["--unhandled-rejections=warn"],
  );
  expect(status).toBe(0);
  expect(stderr).toContain("Unhandled promise rejection: Error: left");
});
