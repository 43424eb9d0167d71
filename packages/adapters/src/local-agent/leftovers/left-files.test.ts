import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@signalbox/core/adapter";
import { expect, onTestFinished, test } from "vitest";
import { findLeftFiles } from "./left-files.ts";

const account = { uid: undefined, gid: undefined, environment: {} };

/** A job's folder, and beside it one that is not its own. */
async function folder(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "signalbox-left-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, "host", "deep"), { recursive: true });
  for (const name of ["secret.txt", "deep/plans.txt"]) await writeFile(join(root, "host", name), "of the host");
  const cwd = join(root, "work");
  await mkdir(join(cwd, "sub"), { recursive: true });
  for (const name of ["a.txt", "report [2].txt", "sub/b.txt"]) await writeFile(join(cwd, name), name);
  await symlink("../host", join(cwd, "out"));
  await symlink("sub", join(cwd, "in"));
  return cwd;
}

async function found(pattern: string, most = 1000) {
  const cwd = await folder();
  const { files, ...rest } = await findLeftFiles(cwd, pattern.replace("$PWD", cwd), {
    account,
    clock: systemClock,
    most,
  });
  return { names: files.map(({ name }) => name), ...rest };
}

test.each([
  ["*.txt", ["a.txt", "report [2].txt"]],
  ["**/*.txt", ["a.txt", "report [2].txt", "b.txt"]],
  ["$PWD/sub/*", ["b.txt"]],
  ["in/*", ["b.txt"]],
  ["*", ["a.txt", "report [2].txt"]],
  ["report [2].txt", ["report [2].txt"]],
])("%s are files of the folder", async (pattern, names) => {
  expect(await found(pattern)).toEqual({ names, refused: [], isCut: false });
});

test.each(["../host/*", "out/*", "out/**/*.txt", "{..,sub}/host/**", "$PWD/../host/**", "/etc/*", "/**/passwd"])(
  "%s is looked for only in the folder, and nothing is revealed of others",
  async (pattern) => {
    expect(await found(pattern)).toEqual({ names: [], refused: [], isCut: false });
  },
);

test("a path that leads elsewhere is refused, and one that leads nowhere is not found", async () => {
  for (const path of ["../host/secret.txt", "out/secret.txt", "sub"])
    expect(await found(path)).toEqual({ names: [], refused: [path], isCut: false });
  expect(await found("none.txt")).toEqual({ names: [], refused: [], isCut: false });
});

test("no more files than allowed are taken, which is reported", async () => {
  expect(await found("*.txt", 1)).toMatchObject({ names: [expect.any(String)], isCut: true });
  expect(await found("*.txt", 2)).toMatchObject({ isCut: false });
});

test("a pattern with many stars takes no time of the host", async () => {
  const cwd = await folder();
  await writeFile(join(cwd, "a".repeat(200)), "");
  const beganMs = process.cpuUsage().user / 1000;
  const { files } = await findLeftFiles(cwd, `${"*a".repeat(5)}b`, { account, clock: systemClock, most: 1000 });
  expect(files).toEqual([]);
  expect(process.cpuUsage().user / 1000 - beganMs).toBeLessThan(1000);
});

test("reading a large folder yields to other work", async () => {
  const cwd = await folder();
  for (let number = 0; number < 200; number++) await writeFile(join(cwd, `${number}.log`), "");
  let turns = 0;
  // A clock on which a whole time slice passes with each reading.
  const clock = { ...systemClock, monotonicMs: () => turns++ * 10 };
  let others = 0;
  let isOver = false;
  const other = (): void => {
    others++;
    if (!isOver) setImmediate(other);
  };
  other();
  await findLeftFiles(cwd, "*.csv", { account, clock, most: 1000 });
  isOver = true;
  expect(others).toBeGreaterThan(150);
});
