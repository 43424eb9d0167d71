import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/engine.ts";
import { anonymous, localClient, type Upload } from "../../../kernel/calls/context.ts";
import type { StreamResult } from "../../../kernel/calls/operation.ts";
import { sha256Hex } from "../../../lib/secrecy/hash.ts";
import type { BlobStore } from "../../../ports/storage/blob-store.ts";
import { launched, startJobs } from "../../../testing/test-jobs.ts";
import { streamToken } from "../../jobs/access/rules/tokens.ts";

type Members = Record<string, unknown>;

const KEY = "mykey";
const link = (members: Members = {}) => ({ type: "magic", enabled: true, key: KEY, ...members });
const field = (id: string, members: Members = {}) => ({ id, type: "text", title: id.toUpperCase(), ...members });

/** A file as the transport passes it on. */
async function upload(blobs: BlobStore, name: string, text: string): Promise<Upload> {
  const key = `tmp/up/${name.replace(/\W/g, "_")}`;
  const { sizeBytes } = await blobs.put(key, chunksOf(text));
  return { field: name, filename: name, sizeBytes, key };
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function textOf({ body }: StreamResult): Promise<string> {
  return Buffer.concat(await Array.fromAsync(body ?? [])).toString();
}

async function setUp(event: Members = {}, trigger: Members = {}, config: Members = {}) {
  const at = await startJobs({ config });
  const server = await at.connect();
  const id = await at.event({ id: "event100", triggers: [link(trigger)], ...event });
  const client = (pathSuffix: string, ip = "203.0.113.7") => ({ ...localClient, pathSuffix, ip, ips: [ip] });
  return {
    ...at,
    id,
    server,
    upload: (name: string, text: string) => upload(at.blobs, name, text),
    magic: (
      input: Members = {},
      { suffix = KEY, ip, uploads = [] }: { suffix?: string; ip?: string; uploads?: Upload[] } = {},
    ) =>
      at.signalbox.execute({
        operation: "magic",
        input,
        actor: anonymous,
        client: client(suffix, ip),
        uploads,
      }) as Promise<Members>,
    async page(operation: "form" | "form_config", suffix = KEY) {
      const answer = (await at.signalbox.execute({
        operation,
        input: {},
        actor: anonymous,
        client: client(suffix),
      })) as StreamResult;
      return { ...answer, text: await textOf(answer) };
    },
    async job() {
      await at.settle();
      const sent = launched(server).at(-1);
      if (!sent) throw new Error("Nothing was launched");
      return sent;
    },
    [Symbol.asyncDispose]: () => at.signalbox.stop(),
  };
}

describe("a magic link", () => {
  test("launches the event of the key, and gives the token of its stream", async () => {
    await using at = await setUp();
    const stored = (await at.signalbox.api.getEvent({ id: "event100" })).event.triggers?.[0];
    expect(stored).toEqual({
      type: "magic",
      enabled: true,
      token: "612711e25e546fd489e8446cb144848738614b6e5dd86446a6879dd8ca38e118",
    });
    const answer = await at.magic();
    expect(answer).toEqual({
      description: "The job was launched.",
      id: expect.stringMatching(/^j/),
      stream: streamToken(String(answer["id"]), "EXAMPLE_CLUSTER_KEY"),
    });
    expect((await at.job()).job).toMatchObject({ id: answer["id"], source: "magic", event: "event100" });
  });

  test("takes members as parameters, over the trigger's, event's and fields'; locked and hidden ones stay", async () => {
    const fields = [
      field("a", { value: "field" }),
      field("b", { value: "field" }),
      field("c", { locked: true, value: "safe" }),
      field("d", { type: "hidden", value: "fixed" }),
    ];
    await using at = await setUp(
      { fields, params: { script: "echo", own: "event" } },
      { params: { b: "trigger" }, tags: [], data: { from: "trigger", x: 1 } },
    );
    await at.magic({
      a: "sent",
      c: "sent",
      d: "sent",
      extra: "kept",
      _xy_override_targets: "other",
      priority: true,
      input: { data: { x: 2 } },
    });
    const { job, details } = await at.job();
    expect(job["params"]).toMatchObject({
      a: "sent",
      b: "trigger",
      c: "safe",
      d: "fixed",
      extra: "kept",
      own: "event",
    });
    expect(job).toMatchObject({ targets: ["main"] });
    expect(job["params"]).not.toHaveProperty("_xy_override_targets");
    expect(job["priority"]).toBeUndefined();
    expect(details["input"]).toEqual({ data: { from: "trigger", x: 2 } });
  });

  test("merges json over the rest, and refuses malformed json and input", async () => {
    await using at = await setUp();
    await at.magic({ a: "1", json: '{"a":"2"}' });
    expect((await at.job()).job["params"]).toMatchObject({ a: "2" });
    expect((await refusalOf(at.magic({ json: "{" }))).description).toMatch(/^Failed to parse JSON: /);
    const quoted = await refusalOf(at.magic({ json: '{"password":hunter2}' }));
    expect(quoted.description).toMatch(/^Failed to parse JSON: Unexpected token 'h'(?!.*unter)/);
    expect(await refusalOf(at.magic({ input: [] }))).toEqual({
      code: "api",
      description: "Malformed event parameter: input (must be object)",
    });
  });

  test("checks the values of fields", async () => {
    await using at = await setUp({ fields: [field("a", { required: true })] });
    expect(await refusalOf(at.magic({}))).toEqual({ code: "api", description: "Plugin: Parameter 'a' is required." });
  });

  test("keeps files and passes them on, within the limit of the event", async () => {
    await using at = await setUp({ limits: [{ type: "file", enabled: true, amount: 2, size: 8 }] });
    await at.magic({}, { uploads: [await at.upload("Data One.CSV", "a,b")] });
    const { details } = await at.job();
    expect((details["input"] as Members)["files"]).toEqual([
      {
        id: expect.stringMatching(/^f/),
        date: expect.any(Number),
        filename: "Data One.CSV",
        path: expect.stringMatching(/^files\/magic\/[\w-]{43}\/data_one\.csv$/),
        size: 3,
        magic: true,
      },
    ]);
    const three = await Promise.all(["a", "b", "c"].map((name) => at.upload(name, "x")));
    expect(await refusalOf(at.magic({}, { uploads: three }))).toEqual({
      code: "event",
      description: "Uploaded file count exceeds limit (2).",
    });
    const large = [await at.upload("a", "123456789")];
    expect((await refusalOf(at.magic({}, { uploads: large }))).description).toMatch(
      /^Uploaded file total size exceeds limit \(8 bytes\)$/,
    );
    expect(await at.blobs.list("files/", { limit: 10 })).toHaveLength(1);
  });

  test("refuses files where the event allows none", async () => {
    await using at = await setUp({ limits: [{ type: "file", enabled: true, amount: 0 }] });
    expect(await refusalOf(at.magic({}, { uploads: [await at.upload("a", "x")] }))).toEqual({
      code: "event",
      description: "Event does not allow file uploads.",
    });
    expect((await at.page("form")).text).not.toContain('type="file"');
  });

  test("names no file that did not come by a link", async () => {
    await using at = await setUp();
    const files = [{ id: "f", filename: "a", path: "files/ann/x/a", size: 1 }];
    expect(await refusalOf(at.magic({ input: { files } }))).toEqual({
      code: "api",
      description: "Malformed event parameter: input.files (unknown path)",
    });
    const gone = [{ id: "f", filename: "a", path: "files/magic/x/a.txt", size: 1 }];
    expect((await refusalOf(at.magic({ input: { files: gone } }))).description).toBe(
      "Malformed event parameter: input.files (unknown path: files/magic/x/a.txt)",
    );
  });

  test("with wait at the end of the path answers the final job", async () => {
    await using at = await setUp();
    const waiting = at.magic({}, { suffix: `${KEY}/wait` });
    const { job } = await at.job();
    at.server.send("jobs", { [String(job["id"])]: { state: "complete", complete: true, code: 0 } });
    await at.settle(2);
    expect(await waiting).toMatchObject({ job: { id: job["id"], code: 0, state: "complete" } });
  });

  test.each([
    ["", "Malformed URL."],
    ["a/b", "Malformed URL."],
    ["my$key", "Malformed URL."],
    ["other", "Authentication failed."],
    [sha256Hex("x"), "Authentication failed."],
  ])("the path %j is refused", async (suffix, description) => {
    await using at = await setUp();
    expect(await refusalOf(at.magic({}, { suffix }))).toEqual({ code: "api", description });
    expect(await refusalOf(at.page("form", suffix))).toEqual({ code: "api", description });
  });

  test("a disabled trigger does not work, and a disabled event says so", async () => {
    await using at = await setUp();
    await at.signalbox.api.updateEvent({ id: at.id, enabled: false });
    expect(await refusalOf(at.magic())).toEqual({ code: "event", description: "Event is disabled: Backup" });
    await at.signalbox.api.updateEvent({ id: at.id, enabled: true, triggers: [link({ enabled: false })] } as never);
    expect(await refusalOf(at.magic())).toEqual({ code: "api", description: "Authentication failed." });
  });

  test("a disabled category refuses the launch and leaves no file", async () => {
    await using at = await setUp();
    await at.signalbox.api.updateCategory({ id: "general", enabled: false });
    const refusal = await refusalOf(at.magic({}, { uploads: [await at.upload("a", "x")] }));
    expect(refusal).toMatchObject({
      code: "event",
      description: expect.stringMatching(/^Failed to launch job: Category is disabled: /),
    });
    expect(await at.blobs.list("files/", { limit: 10 })).toEqual([]);
  });

  test("an address that guesses ten times a minute has to wait, also with the right key", async () => {
    await using at = await setUp();
    for (let turn = 0; turn < 10; turn++) await refusalOf(at.magic({}, { suffix: `guess${turn}` }));
    expect((await refusalOf(at.magic())).code).toBe("rate");
    await expect(at.magic({}, { ip: "198.51.100.1" })).resolves.toHaveProperty("id");
    await at.clock.advance(61);
    await expect(at.magic()).resolves.toHaveProperty("id");
  });

  test("a link stops working on a copy under another id, and when its token is not sent back", async () => {
    await using at = await setUp();
    const { event } = await at.signalbox.api.getEvent({ id: at.id });
    await at.signalbox.api.createEvent({ ...event, id: "copy", title: "Copy" } as never);
    await at.signalbox.api.deleteEvent({ id: at.id });
    expect((await refusalOf(at.magic())).description).toBe("Authentication failed.");
    await at.signalbox.api.updateEvent({ id: "copy", triggers: [link()] } as never);
    await expect(at.magic()).resolves.toHaveProperty("id");
    await at.signalbox.api.updateEvent({ id: "copy", triggers: [{ type: "magic", enabled: true }] });
    expect((await refusalOf(at.magic())).description).toBe("Authentication failed.");
  });
});

describe("the form of a magic link", () => {
  const fields = [
    field("who", { value: `"><script>alert(1)</script>`, required: true, caption: "Your <name>".replace(/[<>]/g, "") }),
    field("size", { type: "select", value: "Small [s], Large [l]" }),
    field("secret", { type: "hidden", value: "HIDDEN" }),
    field("fixed", { locked: true, value: "LOCKED" }),
    field("many", { type: "checkbox", value: true }),
    field("more", { type: "textarea" }),
  ];

  test("shows the fields that users may fill in, and nothing else that could run", async () => {
    await using at = await setUp({ fields, title: "Say & do" }, { body: "Read <b>this</b>" });
    const { text, contentType, headers } = await at.page("form");
    expect(contentType).toBe("text/html; charset=utf-8");
    expect(headers?.["Content-Security-Policy"]).toMatch(
      /^default-src 'none'; style-src 'nonce-[\w-]+'; script-src 'nonce-/,
    );
    expect(text).toContain("<h1>Say &amp; do</h1>");
    expect(text).toContain("Read &lt;b&gt;this&lt;/b&gt;");
    expect(text).toContain('<input type="text" name="who" required value="&quot;&gt;&lt;script&gt;');
    expect(text).toContain('<option value="s">Small</option><option value="l">Large</option>');
    expect(text).toContain('action="../../magic/v1/mykey"');
    expect(text).toContain('name="many" value="true" checked');
    for (const hidden of ["HIDDEN", "LOCKED", "<script>alert"]) expect(text).not.toContain(hidden);
  });

  test("gives its facts to another page as a script", async () => {
    await using at = await setUp({ fields, icon: "star" }, { body: "</script>" });
    const { text, contentType } = await at.page("form_config");
    expect(contentType).toBe("text/javascript; charset=utf-8");
    expect(text).not.toContain("</script>");
    const json = /^app\.receiveConfig\((.*)\);\n$/s.exec(text)?.[1] ?? "";
    expect(JSON.parse(json)).toMatchObject({
      Page: [
        {
          ID: "Form",
          title: "Backup",
          icon: "star",
          limits: [],
          body: "</script>",
          token: "mykey",
          fields: [{ id: "who" }, {}, {}, {}, {}, {}],
        },
      ],
    });
  });
});
