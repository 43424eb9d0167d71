import { describe, expect, test } from "vitest";
import { setUpSecrets } from "../../../../test/directory/secret-setup.ts";
import { START } from "../../../../test/engine.ts";
import type { SecretLogEntry } from "../../../ports/secrets/secret-log.ts";
import { payloadCollection } from "../collection.ts";
import { mergeEnvironment } from "../rules/environment.ts";

const VALUE = "planted-value-4711";
const one = (name: string, value: string) => [{ name, value }];

describe("the variables of a target", () => {
  test("come from all enabled secrets that name it, later secrets last", async () => {
    await using at = await setUpSecrets();
    await at.api.createSecret({ id: "b", title: "B", events: ["e1"], fields: one("N", "first") });
    await at.api.createSecret({ id: "a", title: "A", events: ["e2", "e1"], fields: one("N", "second") });
    await at.api.createSecret({ id: "c", title: "C", plugins: ["e1"], fields: one("N", "plugin") });
    await at.api.createSecret({ id: "d", title: "D", events: ["e1"], enabled: false, fields: one("N", "off") });
    const variables = await at.cradle.vault.variables("events", "e1");
    expect(variables).toEqual([
      { name: "N", value: "first", masked: true },
      { name: "N", value: "second", masked: true },
    ]);
    expect(mergeEnvironment([variables])).toEqual({ N: "second" });
    expect(at.cradle.vault.assigned("events", "e1").map(({ id }) => id)).toEqual(["b", "a"]);
    expect(await at.cradle.vault.variables("events", "none")).toEqual([]);
  });

  test("keep the order of creation when a secret is changed", async () => {
    await using at = await setUpSecrets();
    await at.api.createSecret({ id: "a", title: "A", events: ["e1"], fields: one("N", "1") });
    await at.api.createSecret({ id: "b", title: "B", events: ["e1"], fields: one("N", "2") });
    await at.api.updateSecret({ id: "a", title: "Z", fields: one("N", "3") });
    expect((await at.cradle.vault.variables("events", "e1")).map(({ value }) => value)).toEqual(["3", "2"]);
  });

  test("say whether they are to be masked", async () => {
    await using at = await setUpSecrets();
    await at.api.createSecret({ id: "a", title: "A", events: ["e1"], fields: one("A", "1"), mask: false });
    await at.api.createSecret({ id: "b", title: "B", events: ["e1"], fields: one("B", "2"), mask: true });
    expect((await at.cradle.vault.variables("events", "e1")).map(({ masked }) => masked)).toEqual([false, true]);
  });

  test("leave out a secret that cannot be decrypted, and keep the others", async () => {
    await using at = await setUpSecrets();
    for (const id of ["a", "b", "c"])
      await at.api.createSecret({ id, title: id, events: ["e1"], fields: one(id, VALUE) });
    await at.damage("a", { tag: "AAAA" });
    await at.transact(async ({ tx }) => {
      await tx.collection(payloadCollection).delete("b");
    });
    expect(await at.cradle.vault.variables("events", "e1")).toEqual([{ name: "c", value: VALUE, masked: true }]);
    expect(at.log.lines.filter(({ level }) => level === "error")).toEqual([
      {
        level: "error",
        message: "Failed to fetch secret: Its values are missing.",
        fields: { code: "secret", secret: "b" },
      },
      {
        level: "error",
        message: "Failed to decrypt secret: The sealed record cannot be opened.",
        fields: { code: "secret", secret: "a", fault: "length" },
      },
    ]);
    expect(JSON.stringify(at.log.lines)).not.toContain(VALUE);
  });
});

describe("the secret log", () => {
  test("records each use before the secret is decrypted, on one line, without values", async () => {
    const entries: SecretLogEntry[] = [];
    await using at = await setUpSecrets({ secretLog: (entry) => void entries.push(entry) });
    await at.api.createSecret({ id: "a", title: "Two\r\nlines", plugins: ["p1"], fields: one("N", VALUE) });
    await at.damage("a", { tag: "AAAA" });
    await at.cradle.vault.variables("plugins", "p1");
    const { secret } = await at.api.getSecret({ id: "a" });
    expect(entries).toEqual([
      {
        epoch: START,
        component: "Secret",
        category: "debug",
        code: 1,
        message: "Using secret a (Two  lines) for plugins: p1",
        data: { secret: { ...secret, title: "Two  lines" }, type: "plugins", id: "p1" },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(VALUE);
  });

  test("without a sink is a line of the log", async () => {
    await using at = await setUpSecrets();
    await at.api.createSecret({ id: "a", title: "T", events: ["e1"], fields: one("N", VALUE) });
    await at.cradle.vault.variables("events", "e1");
    const line = at.log.lines.find(({ fields }) => fields["component"] === "Secret");
    expect(line).toMatchObject({
      level: "info",
      message: "Using secret a (T) for events: e1",
      fields: { component: "Secret", code: 1, type: "events", id: "e1", secret: { id: "a", names: ["N"] } },
    });
  });

  test("a failing secret log does not withhold the secret from its job", async () => {
    await using at = await setUpSecrets({
      secretLog: () => {
        throw new Error("full");
      },
    });
    await at.api.createSecret({ id: "a", title: "T", events: ["e1"], fields: one("N", VALUE) });
    expect(await at.cradle.vault.variables("events", "e1")).toHaveLength(1);
    expect(at.log.lines.map(({ message }) => message)).toContain("The secret log failed");
  });
});
