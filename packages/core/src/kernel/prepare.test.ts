import { expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import { refusalOf, START, startEngine } from "../../test/engine.ts";
import { tagCollection } from "../directory/tags/collection.ts";
import { admin, credentials, defineCommand, unchecked } from "./calls/operation.ts";
import { DomainError } from "./errors/errors.ts";
import type { OperationHook } from "./plugins/hooks.ts";
import { definePlugin } from "./plugins/plugin.ts";

let order: string[] = [];

const probe = definePlugin({
  id: "probe",
  operations: [
    defineCommand({
      name: "careful",
      method: "POST",
      summary: "Prepares before it writes.",
      access: admin,
      input: z.looseObject({ fail: z.boolean().optional() }),
      output: z.object({ hash: z.string() }),
      async prepare({ fail }, { read }) {
        order.push("prepare");
        if (fail) throw new DomainError("probe", "conflict", "Not now.");
        return { tags: (await read((tx) => tx.collection(tagCollection).list())).length, hash: "h1" };
      },
      async handler(_input, { prepared, audit }) {
        expectTypeOf(prepared).toEqualTypeOf<{ tags: number; hash: string }>();
        order.push(`handler with ${prepared.tags} tags`);
        audit("notice", { description: prepared.hash });
        return { hash: prepared.hash };
      },
    }),
    defineCommand({
      name: "done_before",
      method: "POST",
      summary: "Is done with its preparation.",
      access: admin,
      input: z.looseObject({}),
      output: z.object({ answer: z.int() }),
      beforehand: true,
      async prepare() {
        order.push("prepare");
        return { answer: 42 };
      },
      async handler(_input, { prepared }) {
        order.push("handler");
        return prepared;
      },
    }),
    defineCommand({
      name: "hello",
      method: "POST",
      namespace: "user",
      summary: "Answers what the caller brought along.",
      access: unchecked,
      input: z.looseObject({}),
      output: z.object({ who: z.string(), session: z.string() }),
      handler: async (_input, { actor, credentials: sent }) => ({ who: actor.kind, session: sent.sessionId ?? "" }),
    }),
    defineCommand({
      name: "peek",
      method: "POST",
      summary: "Answers what it sees of the credentials.",
      access: credentials,
      input: z.looseObject({}),
      output: z.object({ who: z.string(), seen: z.int() }),
      handler: async (_input, { actor, credentials: sent }) => ({
        who: `${actor.kind} ${actor.id}`,
        seen: Object.keys(sent).length,
      }),
    }),
  ],
});
const start = () => {
  order = [];
  return startEngine({ plugins: [probe], config: { presets: false } });
};

test("a command prepares before its transaction and hands the result to the handler", async () => {
  await using engine = await start();
  await engine.api.createTag({ title: "T" });
  expect(await engine.api.careful()).toEqual({ hash: "h1" });
  expect(order).toEqual(["prepare", "handler with 1 tags"]);
});

test("a command whose work is done beforehand begins no transaction", async () => {
  await using engine = await start();
  expect(await engine.api.doneBefore()).toEqual({ answer: 42 });
  expect(order).toEqual(["prepare"]);
});

test("hooks on such a command have their transaction, and may refuse the call", async () => {
  const hook: OperationHook = {
    operation: "done_before",
    before() {
      throw new DomainError("hooks", "conflict", "Not with me.");
    },
  };
  order = [];
  await using engine = await startEngine({ plugins: [probe, { id: "acme.hooks", hooks: [hook] }] });
  expect((await refusalOf(engine.api.doneBefore())).description).toBe("Not with me.");
  expect(order).toEqual(["prepare"]);
});

test("nothing is prepared for a caller without the right to call", async () => {
  await using engine = await start();
  expect((await refusalOf(engine.as({}).careful())).code).toBe("session");
  expect(order).toEqual([]);
});

test("a preparation that fails ends the call before the transaction", async () => {
  await using engine = await start();
  expect(await refusalOf(engine.api.careful({ fail: true }))).toEqual({ code: "probe", description: "Not now." });
  expect(order).toEqual(["prepare"]);
});

test("an unchecked operation gets the credentials unchanged and an unknown caller", async () => {
  await using engine = await start();
  expect(await engine.as({ sessionId: "made up" }).userHello()).toEqual({ who: "anonymous", session: "made up" });
});

test("no other operation gets credentials", async () => {
  await using engine = await start();
  const { who, seen } = await engine.as({ apiKey: "administrator0123456789abc" }).peek();
  expect(who).toMatch(/^key k/);
  expect(seen).toBe(0);
});

test("a user signed in by the host takes precedence over credentials and is named in the activity log", async () => {
  await using engine = await start();
  const hostUser = { id: "ann", name: "Ann", privileges: ["create_tags"] };
  const call = { hostUser, credentials: { apiKey: "wrong" } };
  const { tag } = (await engine.execute({ ...call, operation: "create_tag", input: { title: "T" } })) as {
    tag: { username: string; created: number };
  };
  expect(tag).toMatchObject({ username: "ann", created: START });
  expect((await refusalOf(engine.execute({ ...call, operation: "delete_tag", input: { id: "t1" } }))).code).toBe(
    "access",
  );
});
