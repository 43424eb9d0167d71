import { describe, expect, test } from "vitest";
import { type BoxOptions, useTicketBoxes } from "../../../../../test/desk/ticket-box.ts";
import type { Ticket, TicketChange } from "../../../tickets/model.ts";

const setUp = useTicketBoxes();
const comment = (id: string, body: string, members: Partial<TicketChange> = {}) => ({
  type: "comment",
  id,
  body,
  ...members,
});
const START = "2026-11-21 10:00";

describe("changes of a ticket", () => {
  async function changed(options: BoxOptions = {}, members: Partial<Ticket> = {}) {
    const at = await setUp({ now: START, ...options });
    await at.write("t1", members);
    await at.settle();
    at.mails.clear();
    return at;
  }

  test("are mailed together, the debounce after the last change", async () => {
    const at = await changed();
    await at.change("t1", { status: "in_progress" });
    await at.advanceBy({ seconds: 25 });
    await at.change("t1", { assignees: ["ann", "bob"] });
    await at.advanceBy({ seconds: 29 });
    expect(at.mails).toHaveLength(0);
    await at.advanceBy({ seconds: 2 });
    const [mail, ...others] = at.mails;
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("Signalbox: #1 updated: Disk full");
    expect(mail?.text).toContain(
      "Issue Updated\n\nIssue **#1** was updated: Disk full\n\n- Bob *Ray* changed the status to **In Progress**\n- Bob *Ray* changed the assignees to **Ann Lee, Bob *Ray***\n\n## Details\n\n- **Subject:** Disk full\n",
    );
    expect(mail?.html).toContain("<li>Bob *Ray* changed the status to <strong>In Progress</strong></li>");
  });

  test("are mailed after ten times the debounce at the latest, however busy the ticket is", async () => {
    const at = await changed();
    for (let second = 0; second < 310; second += 20) {
      await at.change("t1", { subject: `Try ${second}` });
      await at.advanceBy({ seconds: 20 });
    }
    expect(at.mails.map((mail) => mail.at - at.clock.now())).toEqual([-20]);
  });

  test("wait no longer than the debounce when a clock that was a day ahead is set back", async () => {
    const at = await changed();
    at.skip(86_400);
    await at.change("t1", { status: "in_progress" });
    await at.advanceBy({ seconds: 2 });
    at.skip(-86_400);
    await at.advanceBy({ seconds: 40 });
    expect(at.mails).toHaveLength(1);
  });

  test("are mailed in time beside a record of a clock that was a day ahead", async () => {
    const at = await changed();
    at.skip(86_400);
    await at.change("t1", { status: "in_progress" });
    at.skip(-86_400);
    await at.change("t1", { status: "closed" });
    for (let second = 0; second < 320; second += 20) {
      await at.change("t1", { subject: `Try ${second}` });
      await at.advanceBy({ seconds: 20 });
    }
    expect(at.mails).toHaveLength(1);
  });

  test("are mailed at once without a debounce", async () => {
    const at = await changed({ config: { tickets: { email_debounce_sec: 0 } } });
    await at.change("t1", { status: "closed" });
    await at.settle();
    expect(at.subjects()).toEqual(["Signalbox: #1 updated: Disk full"]);
  });

  test("are named once when one person changes the same member several times within a minute", async () => {
    const at = await changed();
    await at.change("t1", { status: "on_hold" });
    await at.change("t1", { status: "closed" });
    await at.advanceBy({ seconds: 40 });
    expect(at.mails[0]?.text.match(/changed the status/g)).toHaveLength(1);
    expect(at.mails[0]?.text).toContain("**Closed**");
  });

  test("show the text once even if it changed five times", async () => {
    const at = await changed();
    for (const word of ["a", "b", "c", "d", "e"]) await at.change("t1", { body: `Text ${word}` });
    await at.advanceBy({ seconds: 40 });
    expect(at.mails[0]?.text.match(/Text \w/g)).toEqual(["Text e"]);
    expect(at.mails[0]?.text).toContain("- Bob *Ray* changed the text\n\nText e\n");
  });

  test("leave the text out when it did not change", async () => {
    const at = await changed();
    await at.change("t1", { status: "closed" });
    await at.advanceBy({ seconds: 40 });
    expect(at.mails[0]?.text).not.toContain("It is *full*.");
  });

  test("a mail about a comment alone has no list, and the comment has its author and its time", async () => {
    const at = await changed({ timeZone: "Europe/Berlin" });
    await at.change("t1", {}, [comment("c1", "I **look** into it")]);
    await at.advanceBy({ seconds: 40 });
    const text = at.mails[0]?.text;
    expect(text).toContain(
      "was updated: Disk full\n\nBob *Ray*, Saturday, November 21, 2026 10:00 am:\n\nI **look** into it\n\n## Details",
    );
    expect(at.mails[0]?.html).toContain("<p>I <strong>look</strong> into it</p>");
  });

  test("show the present text of an edited comment, and no deleted comment", async () => {
    const at = await changed();
    await at.change("t1", {}, [comment("c1", "First"), comment("c2", "Second")]);
    const date = Math.floor(at.clock.now());
    const changes = [comment("c1", "Better", { username: "bob", date, edited: date + 60 })] as TicketChange[];
    await at.change("t1", { changes }, [{ key: "delete" }]);
    await at.advanceBy({ seconds: 40 });
    const text = at.mails[0]?.text;
    expect(text).toContain(
      "- Bob *Ray* deleted a comment\n\nBob *Ray*, Saturday, November 21, 2026 10:00 am (edited Saturday, November 21, 2026 10:01 am):\n\nBetter",
    );
    expect(text).not.toContain("Second");
  });

  test("with an absent, null or empty value say (None)", async () => {
    const at = await changed();
    await at.change("t1", {}, [
      { key: "assignees" },
      { key: "tags", value: null },
      { key: "cc", value: [] },
      { key: "due", value: 0 },
    ]);
    await at.advanceBy({ seconds: 40 });
    for (const key of ["assignees", "tags", "cc", "due"])
      expect(at.mails[0]?.text).toContain(`changed the ${key} to **(None)**`);
  });

  test("name a deleted user by the raw name in parentheses, and a server by its title", async () => {
    const at = await changed();
    await at.change("t1", {}, [
      { key: "assignees", value: ["lost", "ann"], username: "former" },
      { key: "server", value: "local" },
      { type: "status", id: "c7", value: "closed" },
    ]);
    await at.advanceBy({ seconds: 40 });
    expect(at.mails[0]?.text).toContain("- (former) changed the assignees to **(lost), Ann Lee**");
    expect(at.mails[0]?.text).toMatch(/changed the server to \*\*(?!\(local\))/);
  });

  test("of the recipients and the text in one call go to the new recipients", async () => {
    const at = await changed({}, { notify: ["old@example.com"] });
    await at.change("t1", { notify: ["new@example.com"], body: "Now" });
    await at.advanceBy({ seconds: 40 });
    expect(at.mails[0]?.to).toEqual(["new@example.com", '"Ann Lee" <ann@example.com>']);
  });

  test("changes that remove the last recipients are mailed to no one", async () => {
    const at = await changed();
    await at.change("t1", { assignees: [] });
    await at.advanceBy({ minutes: 2 });
    expect(at.mails).toEqual([]);
    expect(await at.batches()).toEqual([]);
  });

  test("are also mailed to their author, unless the account wants no mail about own changes", async () => {
    const at = await changed({}, { assignees: ["bob"] });
    await at.change("t1", { status: "closed" });
    await at.advanceBy({ seconds: 40 });
    expect(at.mails).toHaveLength(1);
    at.mails.clear();
    await at.api.userAdminUpdate({ username: "bob", mail_own_changes: false });
    await at.change("t1", { status: "open" });
    await at.advanceBy({ seconds: 40 });
    expect(at.mails).toHaveLength(0);
    await at.change("t1", { status: "closed" });
    await at.change("t1", { due: 1_900_000_000 }, [{ key: "due", value: 1_900_000_000, username: "ann" }]);
    await at.advanceBy({ seconds: 40 });
    expect(at.mails[0]?.to).toEqual(['"Bob *Ray*" <bob@example.com>']);
  });

  test("belong together: each mail has its own id and refers to the mail of the ticket", async () => {
    const at = await changed();
    await at.change("t1", { status: "closed" });
    await at.advanceBy({ seconds: 40 });
    await at.change("t1", { status: "open" });
    await at.advanceBy({ seconds: 40 });
    expect(new Set(at.mails.map(({ messageId }) => messageId)).size).toBe(2);
    expect(new Set(at.mails.map(({ headers }) => headers?.["References"]))).toEqual(
      new Set(["<ticket-t1@ops.example.com>"]),
    );
  });

  test("of two tickets wait separately", async () => {
    const at = await changed();
    await at.write("t2");
    await at.settle();
    at.mails.clear();
    await at.change("t1", { status: "closed" });
    await at.advanceBy({ seconds: 20 });
    await at.change("t2", { status: "closed" });
    await at.advanceBy({ seconds: 11 });
    expect(at.subjects()).toEqual(["Signalbox: #1 updated: Disk full"]);
  });
});

describe("a ticket sends no mail", () => {
  test("while it is a draft, comments included", async () => {
    const at = await setUp();
    await at.write("t1", { status: "draft" });
    await at.change("t1", {}, [comment("c1", "Hm")]);
    await at.advanceBy({ minutes: 2 });
    expect(at.mails).toEqual([]);
  });

  test("about changes from before it became a draft again, also when it is published later", async () => {
    const at = await setUp();
    await at.write("t1");
    await at.settle();
    at.mails.clear();
    await at.change("t1", { subject: "Secret" });
    await at.change("t1", { status: "draft" }, []);
    await at.advanceBy({ seconds: 5 });
    await at.change("t1", { status: "open" }, undefined, { published: true });
    await at.advanceBy({ minutes: 2 });
    expect(at.subjects()).toEqual(["Signalbox: #1 created: Disk full".replace("Disk full", "Secret")]);
    expect(at.mails[0]?.text).not.toContain("changed the subject");
  });

  test("when it is deleted before its mail leaves", async () => {
    const at = await setUp();
    await at.write("t1", {}, "debounced");
    await at.remove("t1");
    await at.advanceBy({ minutes: 2 });
    expect(at.mails).toEqual([]);
    expect(await at.batches()).toEqual([]);
  });

  test("when mails about tickets are off, or there is no sender's address", async () => {
    for (const config of [{ tickets: { email_enabled: false } }, { email_from: "" }]) {
      const at = await setUp({ config, now: "2026-11-21 04:29" });
      await at.write("t1", { due: 1 });
      await at.advanceBy({ minutes: 2 });
      expect(at.mails).toEqual([]);
    }
  });
});

test("publishing a draft sends the mail of a new ticket after the debounce", async () => {
  const at = await setUp();
  await at.write("t1", { status: "draft" });
  await at.change("t1", { status: "open" }, undefined, { published: true });
  await at.advanceBy({ seconds: 29 });
  expect(at.mails).toEqual([]);
  await at.advanceBy({ seconds: 2 });
  expect(at.subjects()).toEqual(["Signalbox: #1 created: Disk full"]);
});
