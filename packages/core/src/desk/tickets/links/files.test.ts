import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cradleProbe, startEngine } from "../../../../test/engine.ts";
import { memoryBlobStore } from "../../../memory/memory-blob-store.ts";
import type { BlobStore } from "../../../ports/storage/blob-store.ts";
import { systemAuthor } from "../model.ts";
import { hasForeignFile, isTicketPath, mayOwnFiles } from "./rules/file-path.ts";
import { fileLifetime, livingFiles, refusedUploads, uploadLimits } from "./rules/upload-limits.ts";

const token = "A".repeat(43);
const path = (ticket: string, name = "a.txt") => `files/${ticket}/ann/${token}/${name}`;

describe("a path of a ticket's file", () => {
  test.each([path("t1"), path("t1", "..a"), `files/t1/k1/${token}/x-y_z.tar.gz`])("%s is one", (each) => {
    expect(isTicketPath(each, "t1")).toBe(true);
  });

  test.each([
    ...[path("t2"), "files/t1", "files/t1/", "files/t1/a.txt", `files/t1/${token}/a.txt`, `${path("t1")}/more`],
    ...["files/t1/ann/../../t2/ann/x/a", "files/t1/ann//a.txt", `files/t1/ann/${token}/..`, `/${path("t1")}`],
    ...[`files/t1\\ann\\${token}\\a`, path("t1", "a b"), path("t1", "a\0"), path("t1", "é"), "logs/jobs/j1/log.txt.gz"],
    ...["", `files/t1/ann/${"x".repeat(1100)}/a`],
  ])("%j is none", (each) => {
    expect(isTicketPath(each, "t1")).toBe(false);
  });

  test.each(["jobs", "bucket", "magic"])("is not owned by a ticket called %s", (id) => {
    expect(mayOwnFiles(id)).toBe(false);
    expect(isTicketPath(path(id), id)).toBe(false);
  });

  test("is never the path of another kind of file, for any id of the ticket", () => {
    const name = fc.stringMatching(/^[a-z0-9_]{1,8}$/);
    fc.assert(
      fc.property(name, name, name, (ticket, account, job) => {
        for (const foreign of [
          `files/${account}/report.csv`,
          `files/${account}/${token}/a.csv`,
          `files/magic/${token}/a`,
        ])
          expect(isTicketPath(foreign, ticket)).toBe(false);
        expect(isTicketPath(`files/jobs/${job}/${token}/a.csv`, ticket)).toBe(false);
        expect(isTicketPath(`files/bucket/${job}/${token}/a.csv`, ticket)).toBe(false);
      }),
    );
  });

  test("may be named by a caller when it is known or could be the ticket's own", () => {
    const known = [{ path: "files/old/place" }];
    expect(hasForeignFile([{ path: path("t1") }, { path: "files/old/place" }], "t1", known)).toBe(false);
    for (const foreign of [[{ path: path("t2") }], [{}], [null], [5], "files", {}, [{ path: ["files"] }]])
      expect(hasForeignFile(foreign, "t1", known)).toBe(true);
    expect(hasForeignFile(undefined, "t1", [])).toBe(false);
  });
});

describe("bounds of uploads", () => {
  const file = (filename: string, sizeBytes = 1) => ({ filename, sizeBytes });
  const limits = { maxFiles: 3, maxSize: 10, accepted: "" };
  test.each<[string, readonly ReturnType<typeof file>[], number, string, string | undefined]>([
    ["as many as there may be", [file("a"), file("b")], 1, "", undefined],
    ["one too many", [file("a"), file("b")], 2, "", "The ticket has reached its maximum number of allowed files."],
    ["as large as may be", [file("a", 10)], 0, "", undefined],
    [
      "a byte too large",
      [file("a"), file("b", 11)],
      0,
      "",
      "One or more of the files exceed the maximum allowed ticket file size.",
    ],
    ["an ending", [file("A.PNG")], 0, ".jpg, .png", undefined],
    ["a type", [file("a.png"), file("b.txt")], 0, "image/*,text/plain", undefined],
    [
      "another type",
      [file("a.png"), file("b.svg.exe")],
      0,
      "image/*",
      "One or more of the files are not of an accepted type.",
    ],
  ])("%s", (_name, files, existing, accepted, expected) => {
    expect(refusedUploads(files, existing, { ...limits, accepted })).toBe(expected);
  });

  test("are read in both spellings, member by member", async () => {
    const client = { ticket_upload_settings: { max_files_per_ticket: 3, accepted_file_types: ".txt" } };
    await using one = await startEngine({ config: { client, ticket_upload_settings: { max_file_size: 5 } } });
    expect(uploadLimits(one.config)).toEqual({ maxFiles: 3, maxSize: 5, accepted: ".txt" });
    await using two = await startEngine();
    expect(uploadLimits(two.config)).toEqual({ maxFiles: 100, maxSize: 1_073_741_824, accepted: "" });
  });

  test.each([
    ["5 years", 157_680_000],
    ["0", undefined],
    ["never", undefined],
  ])("files are kept %s", (file_expiration, seconds) => {
    expect(fileLifetime({ file_expiration })).toBe(seconds);
  });

  test("records of files live as long as the files", () => {
    const file = (date: number) => ({ id: "f1", filename: "a", path: path("t1"), size: 1, date });
    expect(livingFiles([file(89), file(90), file(91)], 100, 10)).toEqual([file(91)]);
    expect(livingFiles([file(0)], 100, undefined)).toHaveLength(1);
  });
});

async function setUp(options: { readonly blobs?: BlobStore; readonly config?: Record<string, unknown> } = {}) {
  const probe = cradleProbe();
  const blobs = options.blobs ?? memoryBlobStore();
  const engine = await startEngine({ blobs, plugins: [probe.plugin], config: options.config ?? {} });
  const cradle = probe.cradle();
  const upload = async (filename: string, text = "hello") => {
    const key = `tmp/x/${filename.replace(/\W/g, "_")}`;
    const { sizeBytes } = await blobs.put(key, Readable.from([Buffer.from(text)]));
    return { field: "f", filename, sizeBytes, key };
  };
  return {
    ...engine,
    blobs,
    cradle,
    upload,
    stored: () => blobs.list("files/", { limit: 100 }),
    keep: async (ticket: string, attached: boolean, ...names: string[]) => {
      const uploads = await Promise.all(names.map((name) => upload(name)));
      return cradle.ticketFiles.keep(uploads, { ticket, username: "ann", attached });
    },
  };
}

describe("keeping files", () => {
  test("gives each file an unguessable path, and a record", async () => {
    await using at = await setUp();
    const [first, second] = await at.keep("t1", false, "../My Report.PDF", "naïve<b>.");
    expect(first).toMatchObject({
      id: expect.stringMatching(/^f/),
      path: expect.stringMatching(/^files\/t1\/ann\/[\w-]{43}\/my_report\.pdf$/),
      ...{ size: 5, username: "ann", ticket: "t1", date: at.clock.now() },
    });
    expect(first?.filename).toBe(".._My Report.PDF");
    expect(second).toMatchObject({ filename: "naïve_b_.", path: expect.stringMatching(/\/na_ve_b_\..bin$/) });
    expect((await at.stored()).toSorted()).toEqual([first?.path, second?.path].toSorted());
  });

  test("keeps none of them when one fails", async () => {
    const inner = memoryBlobStore();
    let count = 0;
    const failing =
      <Args extends readonly unknown[], R>(work: (...args: Args) => Promise<R>) =>
      (...args: Args): Promise<R> =>
        String(args).includes("files/t1/") && ++count === 2
          ? Promise.reject(new Error("The disk is full"))
          : work(...args);
    await using at = await setUp({
      blobs: { ...inner, put: failing(inner.put), ...(inner.move ? { move: failing(inner.move) } : {}) },
    });
    await expect(at.keep("t1", true, "a.txt", "b.txt")).rejects.toThrow("The disk is full");
    expect(await at.stored()).toEqual([]);
  });

  test("removes a file that no record names an hour later, and keeps a named one", async () => {
    await using at = await setUp();
    const { ticket } = await at.api.createTicket({ id: "t1", subject: "One" });
    const [lost] = await at.keep(ticket.id, true, "lost.txt");
    const [linked] = await at.keep(ticket.id, false, "linked.txt");
    const files = await at.keep(ticket.id, true, "held.txt");
    await at.cradle.transact((unit) => at.cradle.tickets.setFiles(unit, ticket.id, () => files, systemAuthor));
    await at.clock.advance(3599);
    expect(await at.stored()).toHaveLength(3);
    await at.clock.advance(2);
    expect(await at.stored()).not.toContain(lost?.path);
    expect((await at.stored()).toSorted()).toEqual([linked?.path, files[0]?.path].toSorted());
  });

  test("removes files when their time is over; their records go with the next change", async () => {
    await using at = await setUp({ config: { file_expiration: "2 hours" } });
    const { ticket } = await at.api.createTicket({ id: "t1", subject: "One" });
    const files = await at.keep(ticket.id, true, "a.txt");
    await at.cradle.transact((unit) => at.cradle.tickets.setFiles(unit, ticket.id, () => files, systemAuthor));
    await at.clock.advance(7202);
    expect(await at.stored()).toEqual([]);
    expect((await at.api.getTicket({ id: "t1" })).ticket.files).toHaveLength(1);
    await at.api.updateTicket({ id: "t1", status: "closed" });
    expect((await at.api.getTicket({ id: "t1" })).ticket.files).toEqual([]);
  });
});
