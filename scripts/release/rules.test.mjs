import { expect, test } from "vitest";
import { changelogFor, faultsOf, withVersion } from "./rules.mjs";

const whole = {
  name: "@signalbox/a",
  version: "1.0.0",
  ...{ description: "A.", keywords: ["a"], license: "MIT", engines: {}, files: ["lib"], exports: {} },
  publishConfig: { access: "public" },
};
const given = (manifest = {}, more = {}) => ({
  license: "L",
  changelog: "## Unreleased\n",
  packages: [{ name: "a", manifest: { ...whole, ...manifest }, readme: "# @signalbox/a", license: "L", ...more }],
});

test("a whole package has no fault", () => {
  expect(faultsOf(given())).toEqual([]);
});

test.each([
  [{ description: undefined }, {}, "packages/a: package.json has no description."],
  [{ keywords: [] }, {}, "packages/a: package.json has no keywords."],
  [{ files: ["lib", "src"] }, {}, "packages/a: it would publish sources or tests."],
  [
    { dependencies: { "@signalbox/b": "0.9.0" } },
    {},
    "packages/a: it needs @signalbox/b 0.9.0, which is not the version of all packages.",
  ],
  [{}, { readme: undefined }, "packages/a: README.md is missing, or does not name the package."],
  [{}, { license: "M" }, "packages/a: LICENSE is missing, or another one than that of the repository."],
])("%j %j is reported", (manifest, more, fault) => {
  expect(faultsOf(given(manifest, more))).toEqual([fault]);
});

test("a real release needs a section for its version, and an address for the package", () => {
  expect(faultsOf({ ...given(), isForReal: true })).toEqual([
    "packages/a: package.json has no repository.",
    "packages/a: package.json has no homepage.",
    "packages/a: package.json has no bugs.",
    'CHANGELOG.md has no section "## 1.0.0".',
  ]);
});

test("a version is set in a manifest, and for the packages beside it", () => {
  const text = JSON.stringify({ version: "1.0.0", dependencies: { "@signalbox/b": "1.0.0", zod: "^4" } });
  const expected = { version: "1.1.0", dependencies: { "@signalbox/b": "1.1.0", zod: "^4" } };
  expect(JSON.parse(withVersion(text, "1.1.0"))).toEqual(expected);
  expect(() => withVersion(text, "next")).toThrow("next is no version");
});

test("unreleased changes become the section of a version", () => {
  const date = new Date("2027-01-02T03:04:05Z");
  expect(changelogFor("# C\n\n## Unreleased\n\n- A\n", "1.1.0", date)).toBe(
    "# C\n\n## Unreleased\n\n## 1.1.0 (2027-01-02)\n\n- A\n",
  );
  expect(() => changelogFor("## Unreleased\n\n## 1.0.0\n", "1.1.0", date)).toThrow("says nothing");
});
