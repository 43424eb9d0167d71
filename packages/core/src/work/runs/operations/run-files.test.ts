import { describe, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../../test/engine.ts";
import { type Members, setUp } from "../../../../test/work/run-setup.ts";
import type { Upload } from "../../../kernel/calls/context.ts";
import { launched } from "../../../testing/test-jobs.ts";

describe("input files of a run", () => {
  const file = (path: unknown) => ({ id: "f1", filename: "a.txt", path, size: 1 });

  test("are passed on with their sizes when they are stored files", async () => {
    const at = await setUp();
    await at.put("files/ann/abc/a.txt");
    const files = [file("files/ann/abc/a.txt")];
    const { details } = await at.run({ id: await at.event(), input: { files, data: { a: 1 } } });
    expect(details["input"]).toEqual({ files: [{ ...files[0], size: 4 }], data: { a: 1 } });
  });

  test.each<[string, Members]>([
    ["in a list", { input: { files: [file("files/ann/abc/gone.txt")] } }],
    ["in JSON text", { json: JSON.stringify({ input: { files: [file("files/ann/abc/gone.txt")] } }) }],
    ["under a flat name", { "input/files": [file("files/ann/abc/gone.txt")] }],
  ])("are refused when they are missing and named %s", async (_how, input) => {
    const at = await setUp();
    expect(await refusalOf(at.api.runEvent({ id: await at.event(), ...input } as never))).toEqual({
      code: "api",
      description: "Malformed event parameter: input.files (unknown path: files/ann/abc/gone.txt)",
    });
    expect(launched(at.server)).toEqual([]);
  });

  test("are reported only with the beginnings of random names", async () => {
    const at = await setUp();
    const path = `files/ann/${"R".repeat(43)}/gone.txt`;
    const { description } = await refusalOf(at.api.runEvent({ id: await at.event(), input: { files: [file(path)] } }));
    expect(description).toBe("Malformed event parameter: input.files (unknown path: files/ann/RRRRRRRR…/gone.txt)");
  });

  test("count together with the files of the call", async () => {
    const at = await setUp({ client: { job_upload_settings: { max_files_per_job: 2 } } });
    for (const name of ["a", "b", "c"]) await at.put(`files/ann/x/${name}.txt`);
    const files = ["a", "b", "c"].map((name) => file(`files/ann/x/${name}.txt`));
    expect(await refusalOf(at.api.runEvent({ id: await at.event(), input: { files } }))).toEqual({
      code: "file",
      description: "Failed to process uploaded files: Too many files (at most 2)",
    });
    await at.put("tmp/1");
    const upload = { field: "f", filename: "d.txt", sizeBytes: 4, key: "tmp/1" };
    const call = { operation: "run_event", input: { id: await at.event(), input: { files: files.slice(1) } } };
    const actor = keyWith(["run_jobs"]);
    expect((await refusalOf(at.execute({ ...call, actor, uploads: [upload] }))).code).toBe("file");
    expect(await at.execute({ ...call, actor })).toHaveProperty("id");
  });

  test.each([
    "logs/jobs/j1/log.txt.gz",
    "files/../logs/jobs/j1/log.txt.gz",
    "files//a",
    "files/",
    "/etc/passwd",
    "files/a\\..\\b",
    "files/a\u0000",
    "",
    5,
    undefined,
  ])("may not name %j", async (path) => {
    const at = await setUp();
    await at.put("files/ann/x/a.txt");
    const { code, description } = await refusalOf(
      at.api.runEvent({ id: await at.event(), input: { files: [file("files/ann/x/a.txt"), file(path)] } }),
    );
    expect(code).toBe("api");
    expect(description).toBe(
      `Malformed event parameter: input.files (unknown path: ${typeof path === "string" ? path : ""})`,
    );
  });
});

describe("uploaded files of the call", () => {
  async function withUploads(config: Members = {}) {
    const at = await setUp(config);
    const upload = async (filename: string, text = "text"): Promise<Upload> => {
      const key = `tmp/up/${filename.replace(/[^\w.]/g, "_")}`;
      const { sizeBytes } = await at.blobs.put(
        key,
        (async function* () {
          yield Buffer.from(text);
        })(),
      );
      return { field: filename, filename, sizeBytes, key };
    };
    const run = (input: Members, uploads: Upload[], actor = keyWith(["run_jobs"])) =>
      at.execute({ operation: "run_event", input, actor, uploads }) as Promise<{ id: string }>;
    return { ...at, upload, call: run, stored: () => at.blobs.list("files/", { limit: 10 }) };
  }

  test("are kept under the name of the caller and follow the files of the input", async () => {
    const at = await withUploads();
    await at.put("files/ann/abc/a.txt");
    const given = { id: "f1", filename: "a.txt", path: "files/ann/abc/a.txt", size: 4 };
    const uploads = [await at.upload("Über Sicht?.CSV"), await at.upload("noend")];
    await at.call(
      { id: await at.event(), json: JSON.stringify({ input: { data: { a: 1 }, files: [given] } }) },
      uploads,
    );
    await at.settle();
    const record = (filename: string, name: RegExp) => ({
      ...{ id: expect.stringMatching(/^f/), date: expect.any(Number), filename, size: 4, username: "ktest" },
      path: expect.stringMatching(new RegExp(`^files/ktest/[\\w-]{43}/${name.source}$`)),
    });
    expect(launched(at.server)[0]?.details["input"]).toEqual({
      data: { a: 1 },
      files: [given, record("Über Sicht?.CSV", /_ber_sicht_\.csv/), record("noend", /noend\.bin/)],
    });
  });

  test("are deleted when their time is over", async () => {
    const at = await withUploads({ client: { job_upload_settings: { user_file_expiration: "1 minute" } } });
    await at.call({ id: await at.event() }, [await at.upload("a.txt")]);
    expect(await at.stored()).toHaveLength(1);
    await at.clock.advance(65);
    expect(await at.stored()).toEqual([]);
  });

  test("of a run that is refused are not kept", async () => {
    const at = await withUploads();
    const id = await at.event({ triggers: [] });
    const refusal = await refusalOf(at.call({ id }, [await at.upload("a.txt")]));
    expect(refusal.description).toBe(`Event does not allow manual job runs: ${id}`);
    await at.api.updateEvent({ id, triggers: [{ type: "manual", enabled: true }] });
    await at.api.updateCategory({ id: "general", enabled: false });
    const late = await refusalOf(at.call({ id }, [await at.upload("a.txt")]));
    expect(late.description).toMatch(/^Failed to launch job: Category is disabled/);
    expect(await at.stored()).toEqual([]);
  });

  test.each<[string, Members, string, string]>([
    ["more than the setting allows", { max_files_per_job: 1 }, "a.txt", "Too many files (at most 1)"],
    ["too large", { max_file_size: 3 }, "a.txt", "File is too large: a.txt (at most 3 bytes)"],
    ["of another type", { accepted_file_types: ".csv, image/*" }, "a.txt", "File type is not accepted: a.txt"],
  ])("are refused when they are %s", async (_what, settings, name, reason) => {
    const at = await withUploads({ client: { job_upload_settings: settings } });
    const uploads = [await at.upload(name), await at.upload(`b${name}`)];
    const refusal = await refusalOf(at.call({ id: await at.event() }, uploads));
    expect(refusal).toEqual({ code: "file", description: `Failed to process uploaded files: ${reason}` });
    expect(await at.stored()).toEqual([]);
  });

  test("in an image format pass where images are accepted", async () => {
    const at = await withUploads({ client: { job_upload_settings: { accepted_file_types: ".csv, image/*" } } });
    await at.call({ id: await at.event() }, [await at.upload("a.PNG"), await at.upload("b.csv")]);
    expect(await at.stored()).toHaveLength(2);
  });

  test("fail as a whole when the store refuses one, and nothing stays", async () => {
    const at = await withUploads();
    const gone: Upload = { field: "a", filename: "a.txt", sizeBytes: 4, key: "tmp/up/gone" };
    const refusal = await refusalOf(at.call({ id: await at.event() }, [await at.upload("b.txt"), gone]));
    expect(refusal).toEqual({
      code: "file",
      description: "Failed to process uploaded files: they could not be stored",
    });
    expect(await at.stored()).toEqual([]);
  });
});

test("the whole body of a hook becomes one member of the job", async () => {
  const at = await setUp();
  const { job } = await at.run({ id: await at.event(), post_data: { action: "opened", params: { script: "no" } } });
  expect(job["post_data"]).toEqual({ action: "opened", params: { script: "no" } });
  expect(job["params"]).toEqual({ script: "echo hello" });
});
