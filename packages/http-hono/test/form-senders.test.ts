import { setImmediate as nextTurn } from "node:timers/promises";
import { createSignalbox, memoryBlobStore, memoryStorage } from "@signalbox/core";
import { DomainError, defineCommand, definePlugin, token } from "@signalbox/core/plugin";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { createRouter } from "../src/index.ts";
import { read, type Started, start } from "./start.ts";

const multipart = { "content-type": "multipart/form-data; boundary=xx" };
const field = (name: string, value: string) =>
  `--xx\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const fileHead = (filename: string) =>
  `--xx\r\nContent-Disposition: form-data; name="file1"; filename="${filename}"\r\n\r\n`;

/** Unhandled rejections, which would crash a Node process. */
function unheardErrors(): unknown[] {
  const unheard: unknown[] = [];
  const listen = (error: unknown): void => void unheard.push(error);
  process.on("unhandledRejection", listen);
  onTestFinished(() => void process.off("unhandledRejection", listen));
  return unheard;
}

async function spentKey({ engine, key }: Started): Promise<string> {
  const { plain_key } = await engine.as({ apiKey: key }).createApiKey({ title: "Slow", max_per_sec: 1 });
  return plain_key;
}

test.each([
  ["an operation that takes no files", "reflect", "a.txt", "rate"],
  ["an operation that takes files", "upload_things", "a.txt", "rate"],
  ["a file without a name", "upload_things", "..", "api"],
])("a key over its rate in the fields of a form is refused at %s, and only there", async (_what, name, file, code) => {
  const unheard = unheardErrors();
  const started = await start();
  const form = `${field("api_key", await spentKey(started))}${fileHead(file)}abc\r\n--xx--\r\n`;
  const codes: unknown[] = [];
  // Two in a row may fall into two seconds, three cannot fit into one.
  for (let count = 0; count < 3; count++)
    codes.push((await started.post(`/api/app/${name}/v1`, form, multipart)).body.code);
  expect(codes).toContain(code);
  await nextTurn();
  expect(unheard).toEqual([]);
});

test("forms without a boundary leave their memory to others", async () => {
  const { post } = await start({ config: { api: { max_body_memory: 1_048_576 } } });
  for (let count = 0; count < 9; count++)
    expect((await post("/api/app/reflect/v1", "abc", { "content-type": "multipart/form-data" })).status).toBe(400);
  expect((await post("/api/app/reflect/v1", { a: 1 })).status).toBe(200);
});

/** An engine with an operation that identifies its sender by a field, after some turns of the event loop. */
async function slowlyAdmitted() {
  const take = defineCommand({
    name: "take_slowly",
    method: "POST",
    files: true,
    summary: "Take files behind a token.",
    access: token,
    input: z.looseObject({ auth: z.string() }),
    output: z.looseObject({}),
    async admits({ auth }) {
      for (let turn = 0; turn < 20; turn++) await nextTurn();
      if (auth !== "right") throw new DomainError("auth", "denied", "Authentication failure");
    },
    handler: async (_input, { uploads }) => ({ sizes: uploads.map(({ sizeBytes }) => sizeBytes) }),
  });
  const plugin = definePlugin({ id: "test.slow", operations: [take] });
  const setting = { storage: memoryStorage(), secretKey: "a secret key for tests", blobs: memoryBlobStore() };
  const engine = createSignalbox({ ...setting, plugins: [plugin] });
  await engine.start();
  onTestFinished(() => engine.stop());
  return createRouter(engine);
}

test("a long file waits until its sender is known, also when the fields came in a chunk of their own", async () => {
  const app = await slowlyAdmitted();
  const chunks = [field("auth", "right") + fileHead("a.txt"), ..."xxxx".split("").map((x) => x.repeat(40_000))];
  const body = ReadableStream.from([...chunks, "\r\n--xx--\r\n"].map((chunk) => Buffer.from(chunk)));
  const init = { method: "POST", headers: multipart, body, duplex: "half" };
  const answer = await read(await app.request("/api/app/take_slowly/v1", init as RequestInit));
  expect(answer).toMatchObject({ status: 200, body: { code: 0, sizes: [160_000] } });
});
