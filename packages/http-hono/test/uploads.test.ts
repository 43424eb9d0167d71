import { describe, expect, test } from "vitest";
import { start } from "./start.ts";

const path = "/api/app/upload_things/v1";
const boundary = "xx";

function form(entries: readonly (readonly [string, string | File])[]): FormData {
  const data = new FormData();
  for (const [name, value] of entries) data.append(name, value);
  return data;
}

const file = (name: string, content = "hello") => new File([content], name);
const part = (disposition: string, content: string, type = "application/octet-stream") =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`;

async function raw(body: string, options: Parameters<typeof start>[0] = {}) {
  const started = await start(options);
  const headers = { "x-api-key": started.key, "content-type": `multipart/form-data; boundary=${boundary}` };
  const answer = await started.post(path, body, headers);
  return { ...answer, left: await started.engine.blobs.list("tmp/", { limit: 10 }) };
}

describe("multipart forms", () => {
  test("fields are texts and files wait under temporary keys", async () => {
    const { post } = await start();
    const data = form([
      ["a", "1"],
      ["b", "2"],
      ["b", "3"],
      ["file1", file("ä b.txt")],
      ["file2", file("x.log", "12")],
    ]);
    const { body } = await post(path, data);
    expect(body.params).toEqual({ a: "1", b: ["2", "3"] });
    expect(body.uploads).toEqual([
      { field: "file1", filename: "ä b.txt", sizeBytes: 5, key: expect.stringMatching(/^tmp\/[\w-]{43}\/0-__b\.txt$/) },
      { field: "file2", filename: "x.log", sizeBytes: 2, key: expect.stringMatching(/^tmp\/[\w-]{43}\/1-x\.log$/) },
    ]);
  });

  test("the json field replaces the others, and all replace the query", async () => {
    const { post } = await start();
    const data = form([
      ["a", "field"],
      ["b", "field"],
      ["json", '{"b":{"c":1},"d":2}'],
    ]);
    expect((await post(`${path}?a=query&q=query`, data)).body.params).toEqual({
      a: "field",
      b: { c: 1 },
      d: 2,
      q: "query",
    });
  });

  test("a json field that does not parse is refused", async () => {
    const { post } = await start();
    const answer = await post(path, form([["json", "{"]]));
    expect(answer).toMatchObject({ status: 400, body: { code: "api" } });
    expect(answer.body.description).toMatch(/^Failed to parse JSON: /);
  });

  test.each([
    ["x".repeat(255), 200],
    ["x".repeat(256), 400],
    ["\u00fc".repeat(127), 200],
    ["\u00fc".repeat(128), 400],
    [`${"\u{1f389}".repeat(64)}.png`, 400],
  ])("a file name as long as file systems allow is accepted, and no longer one: %#", async (name, status) => {
    const body = `${part(`name="f"; filename="${name}"`, "hello")}--${boundary}--\r\n`;
    expect(await raw(body)).toMatchObject({ status, left: [] });
  });

  test("a json field has the same bound of depth", async () => {
    const { post } = await start();
    const { body } = await post(path, form([["json", "[".repeat(65)]]));
    expect(body.description).toBe("Malformed request body.");
  });

  test("credentials in a form count and are removed", async () => {
    const { post, key } = await start();
    const { body } = await post(path, form([["json", JSON.stringify({ api_key: key, a: 1 })]]), {});
    expect(body.params).toEqual({ a: 1 });
  });

  test.each(["before", "behind"])(
    "files are accepted from a sender whose key is in the json field %s them",
    async (place) => {
      const { post, key } = await start();
      const json = ["json", JSON.stringify({ api_key: key, a: 1 })] as const;
      const content = ["f", file("one")] as const;
      // The json field overrides the key that precedes it.
      const fields = [["api_key", "of-nobody"] as const, ...(place === "before" ? [json, content] : [content, json])];
      const { body } = await post(path, form(fields), {});
      expect([body.params, body.uploads]).toMatchObject([{ a: 1 }, [{ field: "f", filename: "one", sizeBytes: 5 }]]);
    },
  );

  test("the first file of a field counts", async () => {
    const { post } = await start();
    const { body } = await post(
      path,
      form([
        ["f", file("one")],
        ["f", file("two")],
      ]),
    );
    expect(body.uploads.map((each: { filename: string }) => each.filename)).toEqual(["one"]);
  });

  test("an operation without files reads the fields and drops the rest", async () => {
    const { post } = await start();
    const { body } = await post(
      "/api/app/reflect/v1",
      form([
        ["a", "1"],
        ["f", file("one")],
      ]),
    );
    expect([body.params, body.uploads]).toEqual([{ a: "1" }, []]);
  });

  test("JSON can be sent instead when there is no file", async () => {
    const { post } = await start();
    expect((await post(path, { a: 1 })).body).toMatchObject({ code: 0, params: { a: 1 }, uploads: [] });
  });
});

describe("refused uploads", () => {
  const named = "File 'f' is missing required name property, or name is invalid.";
  test.each([
    ['name="f"', named],
    ['name="f"; filename=""', named],
    ['name="f"; filename="..."', named],
    ["name=\"f\"; filename*=utf-8''a%00b", named],
    [`name="f"; filename="${"n".repeat(300)}"`, named],
  ])("%s is no name", async (disposition, description) => {
    const { status, body, left } = await raw(`${part(disposition, "x")}--${boundary}--\r\n`);
    expect([status, body.code, body.description, left]).toEqual([400, "api", description, []]);
  });

  test.each(["../../etc/passwd", "C:\\\\x\\\\passwd", "/etc/passwd"])(
    "a path such as %s is reduced to its name",
    async (name) => {
      const { body } = await raw(`${part(`name="f"; filename="${name}"`, "x")}--${boundary}--\r\n`);
      expect(body.uploads[0]).toMatchObject({ filename: "passwd", key: expect.stringMatching(/\/0-passwd$/) });
    },
  );

  test("an empty file is refused with everything beside it", async () => {
    const whole = part('name="a"; filename="a"', "x") + part('name="f"; filename="f"', "");
    const { body, left } = await raw(`${whole}--${boundary}--\r\n`);
    expect(body.description).toBe("File 'f' is missing required size property, or is zero bytes.");
    expect(left).toEqual([]);
  });

  test.each([
    ["ends early", part('name="f"; filename="f"', "x")],
    ["is cut inside a file", part('name="f"; filename="f"', "x").slice(0, -2)],
    ["is no form", "hello"],
    ["is empty", ""],
    ["has a broken header", `--${boundary}\r\n${"x".repeat(20_000)}`],
  ])("a form that %s leaves nothing", async (_how, body) => {
    const answer = await raw(body);
    expect([answer.status, answer.body.description, answer.left]).toEqual([400, "Malformed request body.", []]);
  });

  test("a form without its boundary is refused", async () => {
    const { post, key } = await start();
    const answer = await post(path, "x", { "x-api-key": key, "content-type": "multipart/form-data" });
    expect(answer.body.description).toBe("Malformed request body.");
  });

  const parts = (count: number, kind: "f" | "v") =>
    Array.from({ length: count }, (_, n) =>
      kind === "f" ? part(`name="f${n}"; filename="f${n}"`, "x") : part(`name="v${n}"`, "x", "text/plain"),
    ).join("");

  test.each([
    ["files", parts(4, "f"), { maxFiles: 3 }],
    ["fields", parts(4, "v"), { maxFields: 3 }],
  ])("too many %s are refused", async (_what, body, options) => {
    const answer = await raw(`${body}--${boundary}--\r\n`, options);
    expect([answer.body.description, answer.left]).toEqual(["Malformed request body.", []]);
  });

  test("a body over the upload bound is refused and leaves nothing", async () => {
    const config = { WebServer: { max_upload_size: 1000 } };
    const answer = await raw(`${part('name="f"; filename="f"', "x".repeat(2000))}--${boundary}--\r\n`, { config });
    expect([answer.status, answer.body.description, answer.left]).toEqual([
      413,
      "Request body exceeds the maximum size.",
      [],
    ]);
  });

  test("fields have the bound of JSON bodies", async () => {
    const config = { api: { max_json_size: 1000 } };
    const long = part('name="v"', "x".repeat(2000), "text/plain");
    expect((await raw(`${long}--${boundary}--\r\n`, { config })).status).toBe(413);
    const many = part('name="v"', "x".repeat(600), "text/plain").repeat(2);
    expect((await raw(`${many}--${boundary}--\r\n`, { config })).status).toBe(413);
  });

  test("a failing store is an internal error, reported without details", async () => {
    const { engine, key, post, logged } = await start();
    Object.assign(engine.blobs, { put: () => Promise.reject(new Error("no space in /secret/path")) });
    const answer = await post(path, form([["f", file("f")]]), { "x-api-key": key });
    expect(answer).toMatchObject({ status: 500, body: { code: "internal" } });
    expect(answer.text).not.toContain("secret");
    expect(logged.some(({ level, error }) => level === "error" && String(error).includes("no space"))).toBe(true);
  });
});

describe("temporary files", () => {
  test("are deleted after the operation, whether it worked or not", async () => {
    const { engine, post } = await start();
    expect((await post(path, form([["f", file("f")]]))).body.uploads).toHaveLength(1);
    expect(
      (
        await post(
          path,
          form([
            ["json", '{"fail":true}'],
            ["f", file("f")],
          ]),
        )
      ).body.description,
    ).toBe("Refused after upload");
    expect(await engine.blobs.list("tmp/", { limit: 10 })).toEqual([]);
  });

  test("are deleted when the caller is refused", async () => {
    const { engine, post } = await start();
    expect((await post(path, form([["f", file("f")]]), {})).body.code).toBe("session");
    const conflict = form([
      ["api_key", "a"],
      ["api_key", "b"],
      ["f", file("f")],
    ]);
    expect((await post(path, conflict, {})).body.description).toBe("More than one API Key was provided.");
    expect(await engine.blobs.list("tmp/", { limit: 10 })).toEqual([]);
  });
});
