import { describe, expect, test } from "vitest";
import { useTicketBoxes } from "../../../../test/desk/ticket-box.ts";

const setUp = useTicketBoxes();
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

  test("is plain text only where the installation says so", async () => {
    const at = await setUp({ config: { email_format: "text" } });
    await at.write("t1");
    await at.settle();
    expect(at.mails[0]).not.toHaveProperty("html");
    expect(at.mails[0]?.text).toContain("Issue **#1** was created.");
  });

  test("has the texts of the host's configuration where it sets some", async () => {
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

  test("waits for the debounce where an action created the ticket, and includes the changes until then", async () => {
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

  test("is not delayed by a change that follows at once", async () => {
    const at = await setUp();
    // Both happen before the mail about the first can be composed.
    await Promise.all([at.write("t1"), at.change("t1", { status: "closed" })]);
    await at.settle();
    expect(at.subjects()).toEqual(["Signalbox: #1 created: Disk full"]);
    await at.advanceBy({ minutes: 2 });
    expect(at.subjects().slice(1)).toEqual(["Signalbox: #1 updated: Disk full"]);
  });

  test("expands no macro that users write, and lets no one add a header", async () => {
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

  test("shows a body with an open code block without losing the text after it", async () => {
    const at = await setUp();
    await at.write("t1", { body: "```\nopen" });
    await at.settle();
    expect(at.mails[0]?.html).toMatch(/open<\/pre>[\s\S]*<strong>Status:<\/strong> Open/);
  });
});
