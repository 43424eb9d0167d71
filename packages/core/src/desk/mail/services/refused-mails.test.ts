import { describe, expect, test } from "vitest";
import { useTicketBoxes } from "../../../../test/desk/ticket-box.ts";
import type { Mail } from "../../../ports/outside/mailer.ts";

const setUp = useTicketBoxes();

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

  test("is retried after 1, 5 and 30 minutes under the same id when refused temporarily", async () => {
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

  test("is given up when refused four times temporarily, or once permanently", async () => {
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

  test("is not sent any more when its ticket is deleted or a draft by the next attempt", async () => {
    const { seen, onMail } = busy(1);
    const at = await setUp({ onMail });
    await at.write("t1");
    await at.settle();
    await at.remove("t1");
    await at.advanceBy({ minutes: 5 });
    expect([seen.length, at.mails.length]).toEqual([1, 0]);
  });
});

test("a mail server that never answers does not delay work on tickets", async () => {
  const at = await setUp({ onMail: () => new Promise(() => undefined) });
  await at.write("t1");
  await at.settle();
  await at.write("t2");
  await at.change("t1", { status: "closed" });
  expect(at.mails).toEqual([]);
});

test("the daily limit counts messages, not recipients or retries", async () => {
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

test("a template that cannot be filled in loses its mail and delays no other", async () => {
  const at = await setUp({ config: { mail_templates: { ticket_update: "<!-- To: nobody -->\nx" } } });
  await at.write("t1");
  await at.settle();
  await at.change("t1", { status: "closed" });
  await at.advanceBy({ minutes: 1 });
  expect(await at.storage.work.stats()).toEqual({ open: 0, failed: 0 });
  expect(at.mails).toHaveLength(1);
});
