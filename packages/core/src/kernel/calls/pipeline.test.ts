import { describe, expect, test } from "vitest";
import * as z from "zod";
import { keyWith, recordingLogger, refusalOf, START, startEngine } from "../../../test/engine.ts";
import { InputError, SignalboxError } from "../errors/errors.ts";
import { definePlugin } from "../plugins/plugin.ts";
import { anyone, credentials, defineCommand, defineQuery, privilege, token } from "./operation.ts";

const common = { method: "POST", summary: "For tests.", input: z.looseObject({ title: z.string() }) } as const;
const output = z.object({ caller: z.string() });
const whoami = async (_input: object, { actor }: { actor: { kind: string } }) => ({ caller: actor.kind });

const probe = definePlugin({
  id: "probe",
  privileges: { probe_things: "Probe Things" },
  operations: [
    defineCommand({ ...common, name: "guarded", access: privilege("probe_things"), output, handler: whoami }),
    defineQuery({ ...common, name: "known", access: credentials, output, handler: whoami }),
    defineQuery({ ...common, name: "public", access: anyone, output, handler: whoami }),
    defineQuery({
      ...common,
      name: "prompt",
      access: credentials,
      output,
      handler: (_input, { actor }) => ({ caller: actor.kind }),
    }),
    defineQuery({
      ...common,
      name: "built",
      access: anyone,
      output,
      // biome-ignore lint/suspicious/noThenProperty: query builders are such objects
      handler: () => ({ then: (resolve: (answer: object) => void) => resolve({ caller: "builder" }) }) as never,
    }),
    defineQuery({ ...common, name: "tokened", access: token, output, handler: whoami }),
    defineQuery({
      ...common,
      name: "broken",
      access: anyone,
      output,
      handler: async () => {
        throw new TypeError("password=hunter2");
      },
    }),
    defineQuery({
      ...common,
      name: "refusing",
      access: anyone,
      output,
      handler: async () => {
        throw new InputError("No.", { details: { hint: 1 } });
      },
    }),
    defineQuery({
      ...common,
      name: "lying",
      access: anyone,
      output,
      handler: async () => ({ caller: 5 }) as never,
    }),
    defineQuery({
      ...common,
      name: "context",
      access: anyone,
      output: z.object({ now: z.int(), versioned: z.boolean(), uploads: z.int() }),
      handler: async (_input, { now, client, uploads }) => ({
        now,
        versioned: client.versioned,
        uploads: uploads.length,
      }),
    }),
  ],
});

const badKey = { apiKey: "no-such-key" };
const start = (options: Parameters<typeof startEngine<readonly [typeof probe]>>[0] = {}) =>
  startEngine({ ...options, plugins: [probe] });

describe("the order of checks", () => {
  test("shape comes before credentials", async () => {
    await using engine = await start();
    expect(await refusalOf(engine.as(badKey).guarded({} as never))).toEqual({
      code: "api",
      description: "Missing parameter: title",
    });
  });

  test("credentials come before privileges", async () => {
    await using engine = await start();
    expect(await refusalOf(engine.as(badKey).guarded({ title: "x" }))).toEqual({
      code: "session",
      description: "Invalid API Key",
    });
    expect(await refusalOf(engine.as({}).guarded({ title: "x" }))).toEqual({
      code: "session",
      description: "No Session ID or API Key could be found",
    });
  });

  test("privileges come before the handler", async () => {
    await using engine = await start();
    expect(await refusalOf(engine.as(keyWith(["run_jobs"])).guarded({ title: "x" }))).toEqual({
      code: "access",
      description: "You do not have the 'Probe Things' privilege required to perform this action.",
    });
    expect(await engine.as(keyWith(["probe_things"])).guarded({ title: "x" })).toEqual({ caller: "key" });
  });

  test("an unknown operation comes first", async () => {
    await using engine = await start();
    expect(await refusalOf(engine.execute({ operation: "nope", credentials: badKey }))).toEqual({
      code: "api",
      description: "Unsupported API: app/nope",
    });
    expect(await refusalOf(engine.execute({ operation: "user/nope" }))).toMatchObject({
      description: "Unsupported API: user/nope",
    });
  });

  test.each(["constructor", "__proto__", "toString"])("%s is no operation", async (operation) => {
    await using engine = await start();
    expect((await refusalOf(engine.execute({ operation }))).code).toBe("api");
  });
});

describe("the caller", () => {
  test("public operations ignore credentials", async () => {
    await using engine = await start();
    expect(await engine.as(badKey).public({ title: "x" })).toEqual({ caller: "anonymous" });
  });

  test("token operations need no credentials, but refuse invalid ones", async () => {
    await using engine = await start();
    expect(await engine.as({}).tokened({ title: "x" })).toEqual({ caller: "anonymous" });
    expect((await refusalOf(engine.as(badKey).tokened({ title: "x" }))).code).toBe("session");
    const { administratorKey = "" } = engine.report;
    expect(await engine.as({ apiKey: administratorKey }).tokened({ title: "x" })).toEqual({ caller: "key" });
  });

  test("the engine's own client acts as the system", async () => {
    await using engine = await start();
    expect(await engine.api.guarded({ title: "x" })).toEqual({ caller: "system" });
  });

  test("a call without credentials is anonymous", async () => {
    await using engine = await start();
    expect((await refusalOf(engine.execute({ operation: "known", input: { title: "x" } }))).code).toBe("session");
  });
});

describe("answers", () => {
  test("an unexpected error is hidden from the caller and logged with an id", async () => {
    const log = recordingLogger();
    await using engine = await start({ log });
    const refusal = await refusalOf(engine.api.broken({ title: "x" }));
    expect(refusal.code).toBe("internal");
    expect(refusal.description).toMatch(/^Internal server error \(q[a-z0-9]{15}\)$/);
    const line = log.lines.find(({ level }) => level === "error");
    expect(line?.fields).toMatchObject({ operation: "broken", error: { message: "password=hunter2" } });
    expect(refusal.description).toContain(String(line?.fields["requestId"]));
  });

  test("an expected error is passed on unchanged, with its details", async () => {
    const log = recordingLogger();
    await using engine = await start({ log });
    const error = await engine.api.refusing({ title: "x" }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(SignalboxError);
    expect(error).toMatchObject({ code: "api", description: "No.", details: { hint: 1 } });
    expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("in debug mode an answer that violates its schema is an internal error", async () => {
    await using engine = await start();
    expect((await refusalOf(engine.api.lying({ title: "x" }))).code).toBe("internal");
    await using live = await start({ config: { debug: false } });
    expect(await live.api.lying({ title: "x" })).toEqual({ caller: 5 });
  });

  test("the context contains whole seconds and defaults of in-process calls", async () => {
    await using engine = await start();
    await engine.clock.advance(0.75);
    expect(await engine.api.context({ title: "x" })).toEqual({ now: START, versioned: true, uploads: 0 });
  });

  test.each([null, undefined, [], "text", 5])("an input of %j has no members", async (input) => {
    await using engine = await start();
    expect((await refusalOf(engine.execute({ operation: "public", input }))).description).toBe(
      "Missing parameter: title",
    );
  });
});

describe("a call that waits for nothing", () => {
  const input = { title: "x" };

  test("is answered at once", async () => {
    await using engine = await start();
    const tag = await engine.api.createTag({ title: "Red", id: "red" });
    const { plain_key: apiKey } = await engine.api.createApiKey({ title: "Reader" });
    const credentials = { apiKey };
    expect(engine.dispatch({ operation: "prompt", input, credentials })).toEqual({ caller: "key" });
    expect(engine.dispatch({ operation: "get_tag", input: { id: "red" }, credentials })).toEqual(tag);
    expect(engine.dispatch({ operation: "known", input, credentials })).toBeInstanceOf(Promise);
  });

  test("is refused at once, with a rejection where a promise is expected", async () => {
    await using engine = await start();
    const call = { operation: "get_tag", input: { id: "none" }, actor: keyWith([]) };
    const refusal = { code: "notfound", description: "Failed to locate tag: none" };
    expect(() => engine.dispatch(call)).toThrow(expect.objectContaining(refusal));
    expect(() => engine.dispatch({ operation: "prompt", input, credentials: badKey })).toThrow(SignalboxError);
    expect(() => engine.dispatch({ operation: "nope" })).toThrow(SignalboxError);
    expect(await refusalOf(engine.execute(call))).toEqual(refusal);
  });

  test("returns a promise where the handler returns another thenable", async () => {
    await using engine = await start();
    const answer = engine.dispatch({ operation: "built", input });
    expect(answer).toBeInstanceOf(Promise);
    expect(await answer).toEqual({ caller: "builder" });
  });

  test("is checked like every other when the engine debugs", async () => {
    await using engine = await start({ config: { debug: true } });
    expect(engine.dispatch({ operation: "prompt", input, actor: keyWith([]) })).toEqual({ caller: "key" });
  });
});
