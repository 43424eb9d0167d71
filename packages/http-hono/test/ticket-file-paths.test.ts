import { describe, expect, test } from "vitest";
import { open, TOKEN, text } from "./open-ticket-files.ts";

describe("hostile names and paths", () => {
  test.each([
    ["../../../etc/passwd", "passwd", "passwd.bin"],
    ["C:\\temp\\x.txt", "x.txt", "x.txt"],
    ["<script>alert(1)</script>.svg", "script_.svg", "script_.svg"],
    ["a\u202Efdp.exe", "a_fdp.exe", "a_fdp.exe"],
    ["Zürich 東京.txt", "Zürich 東京.txt", "z_rich___.txt"],
    ["...hidden", "...hidden", "...hidden"],
    ['name".txt', "name%22.txt", "name_22.txt"],
    [`${"x".repeat(240)}.tar.gz`, `${"x".repeat(240)}.tar.gz`, `${"x".repeat(193)}.tar.gz`],
  ])("%j becomes %j", async (given, filename, kept) => {
    const at = await open("memory");
    const [file] = (await at.ticket(text(given))).files;
    expect(file.filename).toBe(filename);
    expect(file.path.split("/").slice(1)).toEqual([
      file.ticket,
      expect.stringMatching(/^\w+$/),
      expect.stringMatching(new RegExp(`^${TOKEN}$`)),
      kept,
    ]);
    expect((await at.file(file.path)).status).toBe(200);
  });

  test("markup is sent for saving, never for showing", async () => {
    const at = await open("memory");
    const ticket = await at.ticket(
      text("a.html", "<script>1</script>", "text/html"),
      text("b.svg", "<svg/>", "image/svg+xml"),
    );
    for (const { path } of ticket.files)
      expect((await at.file(path)).headers.get("content-disposition")).toMatch(/^attachment/);
  });

  test("a forged record gets neither into a ticket nor out of the store", async () => {
    const at = await open("memory");
    const victim = await at.ticket(text("secret.txt"));
    const mine = await at.ticket(text("mine.txt"));
    const [{ path }] = victim.files;
    const malformed = { code: "ticket", description: "Malformed ticket parameter: files" };
    const forged = [
      path,
      path.replace(victim.id, `${mine.id}/../${victim.id}`),
      path.replace("files/", `files/${mine.id}/../`),
      `files/${mine.id}/../${victim.id}/x/y/z`,
      `files/${mine.id}`,
      `files/${mine.id}/report.csv`,
      `/files/${mine.id}/a/${"A".repeat(43)}/b.txt`,
      "logs/jobs/j1/log.txt.gz",
      `files/${mine.id}/a/b/c.txt\u0000`,
    ];
    for (const each of forged) {
      expect((await at.post("update_ticket", { id: mine.id, files: [...mine.files, { path: each }] })).body).toEqual(
        malformed,
      );
      expect((await at.post("create_ticket", { subject: "One", files: [{ path: each }] })).body).toEqual(malformed);
      const gone = await at.post("delete_ticket_file", { id: mine.id, path: each });
      expect(gone.body).toMatchObject({
        code: "ticket",
        description: expect.stringContaining("Ticket file not found: "),
      });
    }
    await at.clock.advance(1);
    expect((await at.file(path)).text).toBe("hello");
    expect((await at.get(`get_ticket/v1?id=${mine.id}`)).body.ticket.files).toEqual(mine.files);
  });

  test.each(["jobs", "bucket", "magic"])("a ticket called %s cannot own files of others", async (id) => {
    const at = await open("memory");
    const path = `files/${id}/j1/${"A".repeat(43)}/output.csv`;
    const job = async function* () {
      yield Buffer.from("output");
    };
    await at.blobs.put(path, job());
    const malformed = { code: "ticket", description: "Malformed ticket parameter: files" };
    expect((await at.post("create_ticket", { id, subject: "One", files: [{ path }] })).body).toEqual(malformed);
    await at.post("create_ticket", { id, subject: "One" });
    expect((await at.post("update_ticket", { id, files: [{ path }] })).body).toEqual(malformed);
    expect((await at.form("upload_user_ticket_files", { ticket: id, save: "1", f: text("a.txt") })).body).toEqual({
      code: "api",
      description: "Malformed parameter: ticket",
    });
    await at.post("delete_ticket", { id });
    await at.clock.advance(1);
    expect(await at.stored()).toEqual([path]);
  });

  test.each([{ path: "a b" }, { path: "" }, { path: 5 }, {}])("%j is no path to delete", async (input) => {
    const at = await open("memory");
    const { id } = await at.ticket();
    expect(await at.post("delete_ticket_file", { id, ...input })).toMatchObject({ status: 400, body: { code: "api" } });
  });
});
