import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createApp } from "./create-app.ts";

const parent = mkdtempSync(join(tmpdir(), "signalbox-create-"));
afterAll(() => rmSync(parent, { recursive: true, force: true }));
const own = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const created = (name: string): string => {
  const folder = join(parent, name);
  createApp(folder);
  return folder;
};
const read = (folder: string, file: string): string => readFileSync(join(folder, file), "utf8");

describe("a new app", () => {
  const FILES = [
    ...[".env", ".gitignore", "README.md", "events.test.ts", "events.ts", "ops.ts", "package.json", "tsconfig.json"],
  ];

  test("has its files, and returns their names", () => {
    const folder = join(parent, "deep", "My Ops");
    expect(createApp(folder)).toEqual(FILES);
    expect(readdirSync(folder).toSorted()).toEqual(FILES);
    expect(read(folder, "README.md")).toMatch(/^# my-ops\n\n(?:- .*\n){5}$/);
  });

  test("needs packages of the version that wrote it, and the compiler only for its authors", () => {
    const { dependencies, devDependencies } = JSON.parse(read(created("versions"), "package.json"));
    expect({ ...dependencies, ...devDependencies }).toEqual(own.devDependencies);
    expect(dependencies["@signalbox/core"]).toBe(own.version);
    expect(Object.keys(devDependencies)).toEqual(["@types/node", "typescript"]);
  });

  test("has a unique key, readable only by its owner, and outside of the repository", () => {
    const [one, other] = [created("one"), created("other")];
    const keys = [one, other].map((folder) => /^SIGNALBOX_SECRET_KEY=([\w-]{43})\n$/.exec(read(folder, ".env"))?.[1]);
    expect(keys).toEqual([expect.any(String), expect.any(String)]);
    expect(keys[0]).not.toBe(keys[1]);
    if (process.platform !== "win32") expect(statSync(join(one, ".env")).mode & 0o077).toBe(0);
    expect(read(one, ".gitignore")).toContain("\n.env\n");
  });

  test("is written into an empty folder, and into no other", () => {
    const empty = join(parent, "empty");
    mkdirSync(empty);
    createApp(empty);
    const before = read(empty, ".env");
    expect(() => createApp(empty)).toThrow("holds something already");
    expect(read(empty, ".env")).toBe(before);
    const file = join(parent, "file");
    writeFileSync(file, "mine");
    expect(() => createApp(file)).toThrow("cannot be used");
    expect(readFileSync(file, "utf8")).toBe("mine");
  });
});
