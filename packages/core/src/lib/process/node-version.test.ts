import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { nodeFault } from "./node-version.ts";

test.each(["22.18.0", "22.19.1", "23.0.0", "24.21.0"])("Node %s is new enough", (version) => {
  expect(nodeFault(version)).toBeUndefined();
});

test.each(["22.17.9", "20.20.2", "18.0.0"])("Node %s is refused by name, with the required version", (version) => {
  expect(nodeFault(version)).toBe(
    `Signalbox needs Node 22.18 or newer, and this is ${version}: install a newer one, or start this program with it.`,
  );
});

test("the manifests and README name the same version", () => {
  const root = fileURLToPath(new URL("../../../../../", import.meta.url));
  for (const name of readdirSync(`${root}packages`)) {
    const { engines } = JSON.parse(readFileSync(`${root}packages/${name}/package.json`, "utf8"));
    expect([name, engines]).toEqual([name, { node: ">=22.18" }]);
  }
  expect(readFileSync(`${root}README.md`, "utf8")).toContain("Node 22.18 or newer");
});
