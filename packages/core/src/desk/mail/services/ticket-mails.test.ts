import { afterEach, describe, expect, test } from "vitest";
import { type BoxOptions, openTicketBox, type TicketBox } from "../../../../test/ticket-box.ts";
import type { Mail } from "../../../ports/mailer.ts";
import type { Ticket, TicketChange } from "../../tickets/model.ts";

const boxes: TicketBox[] = [];
afterEach(async () => {
  for (const box of boxes.splice(0)) await box.stop();
});
async function setUp(options: BoxOptions = {}): Promise<TicketBox> {
  const box = await openTicketBox(options);
  boxes.push(box);
  return box;
}

const comment = (id: string, body: string, members: Partial<TicketChange> = {}) => ({
  type: "comment",
  id,
  body,
  ...members,
});
const START = "2026-11-21 10:00";

describe("the mail of a new ticket", () => {
  test("leaves with the commit, in both forms, with the members of the contract in its order", async () => {
    const at = await setUp({ now: START, timeZone: "Europe/Berlin" });
    await at.api.createTag({ id: "disk", title: "Disks" });
    await at.write("t1", {
      ...{
        assignees: ["ann", "Bob"],
        cc: ["gone", "c@example.com"],
        notify: ["N <n@example.com>"],
        category: "general",
      },
      ...{ tags: ["disk", "_error", "lost"], due: Date.parse("2026-11-24T23:00:00Z") / 1000 },
    });
    await at.settle();
    const [mail, ...others] = at.mails;
    expect(others).toEqual([]);
    expect(mail?.to).toEqual([
      '"N" <n@example.com>',
      '"Ann Lee" <ann@example.com>',
      '"Bob *Ray*" <bob@example.com>',
      "c@example.com",
    ]);
    expect(mail?.subject).toBe("Signalbox: #1 created: Disk full");
    expect(mail?.text).toBe(`New Issue

Issue **#1** was created.

## Disk full

It is *full*.

## Details

- **Number:** #1
- **Type:** Issue
- **Category:** General
- **Status:** Open
- **Author:** Ann Lee
- **Assignees:** Ann Lee, Bob *Ray*
- **Due:** Wednesday, November 25, 2026
- **Tags:** Disks, (lost)

[Ticket #1](https://ops.example.com/#1)

View Ticket: https://ops.example.com/#1

-- 
Signalbox, https://ops.example.com
`);
    expect(mail?.html).toContain("<p>It is <em>full</em>.</p>");
    expect(mail?.html).toContain("<strong>Assignees:</strong> Ann Lee, Bob *Ray*</li>");
    expect(mail?.headers).toEqual({ References: "<ticket-t1@ops.example.com>" });
    expect(mail?.messageId).toMatch(/^<[0-9a-f]{40}@ops\.example\.com>$/);
  });

  test("says (None) for empty members, and shows unknown ids in parentheses", async () => {
    const at = await setUp();
    await at.write("t1", { ...{ type: "", category: "lost", server: "s9", status: "odd", username: "ghost" } });
    await at.settle();
    const text = at.mails[0]?.text;
    expect(text).toContain("New Ticket\n");
    for (const line of [
      "Type:** (None)",
      "Category:** (lost)",
      "Status:** (odd)",
      "Author:** (ghost)",
      "Due:** (None)",
      "Tags:** (None)",
    ])
      expect(text).toContain(line);
  });

  test("is plain text alone where the installation says so", async () => {
    const at = await setUp({ config: { email_format: "text" } });
    await at.write("t1");
    await at.settle();
    expect(at.mails[0]).not.toHaveProperty("html");
    expect(at.mails[0]?.text).toContain("Issue **#1** was created.");
  });

  test("has the host's words where it gives some", async () => {
    const at = await setUp({
      config: {
        mail_templates: {
          ticket_new:
            "<!-- To: {{ email_to }} -->\n<!-- Subject: Neu: {{ ticket.subject }} -->\n{{ nice_status }}\n\n{{ ticket_body }}",
        },
      },
    });
    await at.write("t1");
    await at.settle();
    expect(at.mails[0]?.subject).toBe("Neu: Disk full");
    expect(at.mails[0]?.text).toContain("Open\n\nIt is *full*.");
  });

  test("waits for the debounce where an action made the ticket, and tells all that came meanwhile", async () => {
    const at = await setUp();
    await at.write("t1", {}, "debounced");
    await at.advanceBy({ seconds: 20 });
    await at.change("t1", { status: "closed" });
    await at.advanceBy({ seconds: 29 });
    expect(at.mails).toHaveLength(0);
    await at.advanceBy({ seconds: 2 });
    expect(at.subjects()).toEqual(["Signalbox: #1 created: Disk full"]);
    expect(at.mails[0]?.text).toContain("**Status:** Closed");
  });

  test("is not held up by a change that follows at once", async () => {
    const at = await setUp();
    // Both are asked for before the mail of the first can be written.
    await Promise.all([at.write("t1"), at.change("t1", { status: "closed" })]);
    await at.settle();
    expect(at.subjects()).toEqual(["Signalbox: #1 created: Disk full"]);
    await at.advanceBy({ minutes: 2 });
    expect(at.subjects().slice(1)).toEqual(["Signalbox: #1 updated: Disk full"]);
  });

  test("expands no macro that people write, and lets nobody add a header", async () => {
    const at = await setUp();
    await at.write("t1", {
      subject: "{{ config.email_from }} \r\nBcc: evil@example.com <!-- Cc: x@y.z -->",
      body: "{{ email_to }}\n<!-- Bcc: q@y.z -->",
    });
    await at.settle();
    const [mail] = at.mails;
    expect(mail?.to).toEqual(['"Ann Lee" <ann@example.com>']);
    expect(mail).not.toHaveProperty("bcc");
    expect(mail).not.toHaveProperty("cc");
    expect(mail?.subject).toBe(
      "Signalbox: #1 created: {{ config.email_from }}  Bcc: evil@example.com <!-- Cc: x@y.z -->",
    );
    expect(mail?.text).toContain("{{ email_to }}\n<!-- Bcc: q@y.z -->");
    expect(mail?.html).toContain("{{ email_to }}");
  });

  test("shows a body with an open code block without losing the text behind it", async () => {
    const at = await setUp();
    await at.write("t1", { body: "```\nopen" });
    await at.settle();
    expect(at.mails[0]?.html).toMatch(/open<\/pre>[\s\S]*<strong>Status:<\/strong> Open/);
  });
});

describe("changes of a ticket", () => {
  async function changed(options: BoxOptions = {}, members: Partial<Ticket> = {}) {
    const at = await setUp({ now: START, ...options });
    await at.write("t1", members);
    await at.settle();
    at.mails.clear();
    return at;
  }

  test("are told in one mail, the debounce after the last of them", async () => {
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

  test("are told after ten times the debounce at the latest, however busy the ticket is", async () => {
    const at = await changed();
    for (let second = 0; second < 310; second += 20) {
      await at.change("t1", { subject: `Try ${second}` });
      await at.advanceBy({ seconds: 20 });
    }
    expect(at.mails.map((mail) => mail.at - at.clock.now())).toEqual([-20]);
  });

  test("are told at once when there is no debounce", async () => {
    const at = await changed({ config: { tickets: { email_debounce_sec: 0 } } });
    await at.change("t1", { status: "closed" });
    await at.settle();
    expect(at.subjects()).toEqual(["Signalbox: #1 updated: Disk full"]);
  });

  test("are named once when one person changes the same thing several times within a minute", async () => {
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

  test("show a comment as it was edited meanwhile, and one that was deleted not at all", async () => {
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

  test("whose value is absent, null or empty say (None)", async () => {
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

  test("name a user who is gone by the raw name in parentheses, and a server by its title", async () => {
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

  test("changes of the recipients and of the text in one call go to the new recipients", async () => {
    const at = await changed({}, { notify: ["old@example.com"] });
    await at.change("t1", { notify: ["new@example.com"], body: "Now" });
    await at.advanceBy({ seconds: 40 });
    expect(at.mails[0]?.to).toEqual(["new@example.com", '"Ann Lee" <ann@example.com>']);
  });

  test("changes that take the last recipients away are told to nobody", async () => {
    const at = await changed();
    await at.change("t1", { assignees: [] });
    await at.advanceBy({ minutes: 2 });
    expect(at.mails).toEqual([]);
    expect(await at.batches()).toEqual([]);
  });

  test("a person's own changes are told too, unless the account wants no mail about them", async () => {
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

  test("belong together: each mail has an id of its own and refers to the one of the ticket", async () => {
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

  test("changes of two tickets wait separately", async () => {
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

describe("a ticket sends nothing", () => {
  test("while it is a draft, comments included", async () => {
    const at = await setUp();
    await at.write("t1", { status: "draft" });
    await at.change("t1", {}, [comment("c1", "Hm")]);
    await at.advanceBy({ minutes: 2 });
    expect(at.mails).toEqual([]);
  });

  test("about changes from before it was made a draft again, for good", async () => {
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

  test("no mail when mails about tickets are off, or there is no sender's address", async () => {
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

describe("a mail that is refused", () => {
  const busy = (count: number, temporary = true) => {
    let left = count;
    const seen: string[] = [];
    return {
      seen,
      onMail: ({ messageId }: Mail) => {
        seen.push(messageId);
        if (left-- > 0) throw Object.assign(new Error("Busy"), { temporary });
      },
    };
  };

  test("a mail refused for the moment is tried again after 1, 5 and 30 minutes, under the same id", async () => {
    const { seen, onMail } = busy(3);
    const times: number[] = [];
    const at = await setUp({
      onMail: (mail) => {
        times.push(Math.round((at.clock.now() - start) / 60));
        onMail(mail);
      },
    });
    const start = at.clock.now();
    await at.write("t1");
    await at.advanceBy({ minutes: 37 });
    expect(times).toEqual([0, 1, 6, 36]);
    expect(new Set(seen).size).toBe(1);
    expect(at.mails).toHaveLength(1);
  });

  test("a mail refused for the moment four times, or for good, is given up", async () => {
    for (const [count, temporary, tries] of [
      [99, true, 4],
      [99, false, 1],
    ] as const) {
      const { seen, onMail } = busy(count, temporary);
      const at = await setUp({ onMail });
      await at.write("t1");
      await at.advanceBy({ minutes: 40 });
      expect(seen).toHaveLength(tries);
    }
  });

  test("is not sent any more when its ticket is gone, or a draft, by the next attempt", async () => {
    const { seen, onMail } = busy(1);
    const at = await setUp({ onMail });
    await at.write("t1");
    await at.settle();
    await at.remove("t1");
    await at.advanceBy({ minutes: 5 });
    expect([seen.length, at.mails.length]).toEqual([1, 0]);
  });
});

test("a mail server that never answers does not hold up work on tickets", async () => {
  const at = await setUp({ onMail: () => new Promise(() => undefined) });
  await at.write("t1");
  await at.settle();
  await at.write("t2");
  await at.change("t1", { status: "closed" });
  expect(at.mails).toEqual([]);
});

test("the limit of the day counts messages, not recipients, and no further attempts", async () => {
  let refusals = 1;
  const at = await setUp({
    config: { max_emails_per_day: 2 },
    onMail: () => {
      if (refusals-- > 0) throw Object.assign(new Error("Busy"), { temporary: true });
    },
  });
  for (const id of ["t1", "t2", "t3"]) {
    await at.write(id, { assignees: ["ann", "bob"] });
    await at.advanceBy({ minutes: 2 });
  }
  expect(at.subjects()).toEqual(["Signalbox: #1 created: Disk full", "Signalbox: #2 created: Disk full"]);
});

test("a template that cannot be filled in loses its mail and holds up nothing", async () => {
  const at = await setUp({ config: { mail_templates: { ticket_update: "<!-- To: nobody -->\nx" } } });
  await at.write("t1");
  await at.settle();
  await at.change("t1", { status: "closed" });
  await at.advanceBy({ minutes: 1 });
  expect(await at.storage.work.stats()).toEqual({ open: 0, failed: 0 });
  expect(at.mails).toHaveLength(1);
});
