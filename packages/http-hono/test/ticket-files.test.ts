import { describe, expect, test } from "vitest";
import { ONE_STORAGE } from "./open-storage.ts";
import { type Fields, open, TOKEN, text } from "./open-ticket-files.ts";

describe.each(ONE_STORAGE)("files of tickets over %s", (name) => {
  test("a form creates a ticket with its files, which anyone with the path can read", async () => {
    const at = await open(name);
    const json = JSON.stringify({ subject: "Lamp <b>out</b>", category: "rail", tags: ["important"] });
    const made = await at.form("create_ticket", {
      ...{ subject: "Ignored", body: "platform 4", json },
      ...{ first: text("Photo of Lamp.JPG", "jpeg"), second: text("README", "read me") },
    });
    const { ticket } = made.body;
    expect(made).toMatchObject({ status: 200, body: { code: 0 } });
    expect(ticket).toMatchObject({ subject: "Lamp out", body: "platform 4", category: "rail", tags: ["important"] });
    expect(ticket.files).toMatchObject([
      {
        ...{ id: expect.stringMatching(/^f/), filename: "Photo of Lamp.JPG", size: 4, ticket: ticket.id },
        path: expect.stringMatching(new RegExp(`^files/${ticket.id}/\\w+/${TOKEN}/photo_of_lamp\\.jpg$`)),
      },
      { filename: "README", path: expect.stringMatching(/\/readme\.bin$/) },
    ]);
    expect((await at.get(`get_ticket/v1?num=${ticket.num}`)).body.ticket).toEqual(ticket);
    expect((await at.file(ticket.files[1].path)).text).toBe("read me");
    expect(await at.blobs.list("tmp/", { limit: 10 })).toEqual([]);
    const { rows } = (await at.get("search_activity/v1?query=action:ticket_create&limit=5")).body;
    expect(rows).toMatchObject([{ ticket: { files: [{}, {}] } }]);
  });

  test("files are attached, listed completely, and removed again", async () => {
    const at = await open(name);
    const ticket = await at.ticket(text("a.txt"));
    const caller = await at.caller({ edit_tickets: true });
    await at.clock.advance(60);
    const told = at.next("ticket.updated");
    const added = await caller.form("upload_user_ticket_files", {
      ticket: ticket.id,
      save: "1",
      f: text("b.txt", "two"),
    });
    expect(added.body).toMatchObject({
      code: 0,
      files: [{ filename: "a.txt" }, { filename: "b.txt", username: caller.id, ticket: ticket.id, size: 3 }],
    });
    expect(await told).toMatchObject({ id: ticket.id, by: caller.id, keys: ["files"] });
    const after = (await at.get(`get_ticket/v1?id=${ticket.id}`)).body.ticket;
    expect(after).toEqual({ ...ticket, files: added.body.files, revision: 2 });
    const [first, second] = added.body.files;
    const left = await caller.post("delete_ticket_file", { id: ticket.id, path: first.path });
    expect(left.body).toEqual({ code: 0, files: [second] });
    await at.until(async () => (await at.stored()).length === 1);
    expect(await at.stored()).toEqual([second.path]);
    expect((await at.file(first.path)).status).toBe(404);
    // Refusals are logged, and a complete path would open its file.
    const shown = first.path.replace(/[\w-]{43}/, (name: string) => `${name.slice(0, 8)}\u2026`);
    expect(await caller.post("delete_ticket_file", { id: ticket.id, path: first.path })).toMatchObject({
      body: { code: "ticket", description: `Ticket file not found: ${shown}` },
    });
    const { rows } = (await at.get("search_activity/v1?query=action:ticket_update&limit=5&sort_dir=1")).body;
    const subject = { id: ticket.id, num: ticket.num, subject: "Lamp" };
    expect(rows.map((row: { ticket: object; files: object[] }) => [row.ticket, row.files.length])).toEqual([
      [subject, 2],
      [subject, 1],
    ]);
  });

  test("the list of files stays an array once files were added", async () => {
    const at = await open(name);
    const read = async (id: string) => (await at.get(`get_ticket/v1?id=${id}`)).body.ticket.files;
    const deleted = await at.ticket(text("a.txt"));
    const [{ path }] = deleted.files;
    expect((await at.post("delete_ticket_file", { id: deleted.id, path })).body.files).toEqual([]);
    expect(await read(deleted.id)).toEqual([]);
    await at.post("update_ticket", { id: deleted.id, subject: "Another" });
    expect(await read(deleted.id)).toEqual([]);
    const updated = await at.ticket(text("a.txt"));
    expect((await at.post("update_ticket", { id: updated.id, files: [] })).body.ticket.files).toEqual([]);
    expect(await read(updated.id)).toEqual([]);
    const never = await at.ticket();
    await at.post("update_ticket", { id: never.id, files: [] });
    expect(await read(never.id)).toBeUndefined();
  });

  test("files for links in texts may be uploaded before their ticket, and create none", async () => {
    const at = await open(name);
    const json = JSON.stringify({ ticket: "later", save: false });
    const early = await at.form("upload_user_ticket_files", { json, f: text("shot.png") });
    expect(early.body.files).toMatchObject([{ path: expect.stringMatching(/^files\/later\//), ticket: "later" }]);
    expect((await at.get("get_ticket/v1?id=later")).status).toBe(404);
    const [file] = early.body.files;
    const body = `![shot](/${file.path})`;
    const { ticket } = (await at.post("create_ticket", { id: "later", subject: "One", body })).body;
    expect(ticket.files).toBeUndefined();
    const linked = await at.form("upload_user_ticket_files", { ticket: "later", f: text("b.png") });
    expect(linked.body.files).toMatchObject([{ filename: "b.png" }]);
    expect((await at.get("get_ticket/v1?id=later")).body.ticket.files).toBeUndefined();
    // A caller may attach files that were stored for the ticket.
    const updated = await at.post("update_ticket", { id: "later", files: [file] });
    expect(updated.body.ticket.files).toMatchObject([{ path: file.path, size: 5 }]);
    await at.post("delete_ticket", { id: "later" });
    await at.until(async () => (await at.stored()).length === 0);
    expect(await at.stored()).toEqual([]);
  });

  test("a ticket that is not created leaves no file and uses no number", async () => {
    const at = await open(name, { ticket_upload_settings: { max_files_per_ticket: 2, max_file_size: 10 } });
    const long = text("long.txt", "x".repeat(11));
    const f = text("a.txt");
    const first = await at.ticket(f);
    const refused: [Fields, string, string][] = [
      [{ subject: " ", f }, "api", "Malformed parameter: subject"],
      [{ json: "{", f }, "api", expect.stringMatching(/^Failed to parse JSON: /)],
      [{ subject: "One", status: "gone", f }, "ticket", "Unknown ticket status: gone"],
      [{ subject: "One", category: "none", f }, "ticket", "Unknown category: none"],
      [{ subject: "One", id: first.id, f }, "ticket", `Failed to create ticket: ID already exists: ${first.id}`],
      [{ subject: "One", id: "jobs", f }, "ticket", "Malformed ticket parameter: files"],
      [{ subject: "One", template: "job", job: "none", f }, "ticket", "Failed to create ticket: Job not found: none"],
      [{ subject: "One", f: long }, "ticket", "One or more of the files exceed the maximum allowed ticket file size."],
      [{ subject: "One", a: f, b: f, c: f }, "ticket", "The ticket has reached its maximum number of allowed files."],
      [
        { subject: "One", f: text("empty.txt", "") },
        "api",
        "File 'f' is missing required size property, or is zero bytes.",
      ],
    ];
    const tooMany = await at.form("create_ticket/v1", { subject: "One", a: f, b: f, c: f });
    expect(tooMany.status).toBe(400);
    const kept = await at.stored();
    for (const [fields, code, description] of refused)
      expect((await at.form("create_ticket", fields)).body).toEqual({ code, description });
    await at.until(async () => (await at.stored()).length === kept.length);
    expect(await at.stored()).toEqual(kept);
    expect(await at.blobs.list("tmp/", { limit: 10 })).toEqual([]);
    expect((await at.ticket(f)).num).toBe(first.num + 1);
  });

  test("limits, categories and privileges apply to every way to a file", async () => {
    const client = { ticket_upload_settings: { max_files_per_ticket: 2, accepted_file_types: ".txt, image/*" } };
    const at = await open(name, { client });
    const ticket = await at.ticket(text("a.txt"));
    const upload = (fields: Fields) =>
      at.form("upload_user_ticket_files", { ticket: ticket.id, save: "true", ...fields });
    const wrong = { code: "ticket", description: "One or more of the files are not of an accepted type." };
    expect((await upload({ f: text("b.exe") })).body).toEqual(wrong);
    const versioned = (f: File) => at.form("upload_user_ticket_files/v1", { ticket: ticket.id, save: "true", f });
    expect(await versioned(text("b.exe"))).toMatchObject({ status: 400, body: wrong });
    const full = { code: "ticket", description: "The ticket has reached its maximum number of allowed files." };
    expect((await upload({ f: text("b.png"), g: text("c.png") })).body).toEqual(full);
    const both = await Promise.all([upload({ f: text("b.png") }), upload({ f: text("c.png") })]);
    expect(both.map(({ body }) => body.code).toSorted()).toEqual([0, "ticket"]);
    expect((await upload({ save: "false", f: text("d.png") })).body).toEqual(full);
    expect(await versioned(text("d.png"))).toMatchObject({ status: 409, body: full });
    await at.until(async () => (await at.stored()).length === 2);
    expect(await at.stored()).toHaveLength(2);

    const other = await at.caller({ edit_tickets: true }, ["general"]);
    const access = { code: "access", description: expect.stringContaining("to access category ID ") };
    const f = text("e.txt");
    expect((await other.form("upload_user_ticket_files", { ticket: ticket.id, f })).body).toEqual(access);
    const { path } = ticket.files[0];
    expect((await other.post("delete_ticket_file", { id: ticket.id, path })).body).toEqual(access);
    const reader = await at.caller({ create_tickets: true });
    const denied = { code: "access", description: expect.stringContaining("'Edit Tickets' privilege") };
    expect((await reader.form("upload_user_ticket_files", { ticket: ticket.id, f })).body).toEqual(denied);
    expect((await reader.post("delete_ticket_file", { id: ticket.id, path })).body).toEqual(denied);
    expect(await at.stored()).toHaveLength(2);
    expect((await upload({ save: "1" })).body).toEqual({
      code: "file",
      description: "No file upload data found in request.",
    });
    const unknown = { code: "job", description: "Failed to update ticket: none: Error: Item not found" };
    expect((await at.form("upload_user_ticket_files", { ticket: "none", save: "1", f })).body).toEqual(unknown);
    expect((await at.post("delete_ticket_file", { id: "none", path: "x" })).body).toEqual(unknown);
  });
});

test("a store that fails is reported without details, and the ticket is not created", async () => {
  const at = await open("memory");
  const { id } = await at.ticket();
  const away = () => Promise.reject(new Error("no space in /secret/path"));
  const { put } = at.blobs;
  Object.assign(at.blobs, {
    put: (key: string, content: AsyncIterable<Uint8Array>) => (key.startsWith("files/") ? away() : put(key, content)),
    move: away,
  });
  const made = await at.form("create_ticket", { subject: "One", f: text("a.txt") });
  expect(made.body).toEqual({ code: "ticket", description: "Failed to create ticket: its files could not be stored" });
  const added = await at.form("upload_user_ticket_files", { ticket: id, save: "1", f: text("a.txt") });
  expect(added.body).toEqual({
    code: "file",
    description: "Failed to process uploaded files: they could not be stored",
  });
  expect((await at.get("search_tickets/v1?query=*")).body.list.length).toBe(1);
});
