import { expect, test } from "vitest";
import type { Mail } from "../../../ports/outside/mailer.ts";
import { createTestSignalbox } from "../../../testing/test-signalbox.ts";

async function attemptsWith(failure: Error): Promise<{ times: number[]; ids: Set<string> }> {
  const attempts: { at: number; mail: Mail }[] = [];
  await using box = await createTestSignalbox({
    onMail: (mail) => {
      attempts.push({ at: box.clock.now(), mail });
      throw failure;
    },
  });
  const user = { username: "ann", password: "secret", email: "ann@example.com", full_name: "Ann" };
  await box.api.userAdminCreate({ ...user, send_email: true });
  await box.advanceBy({ minutes: 40 });
  const [first = { at: 0 }] = attempts;
  return {
    times: attempts.map(({ at }) => Math.round((at - first.at) / 60)),
    ids: new Set(attempts.map(({ mail }) => mail.messageId)),
  };
}

test("a mail to the owner of an account is retried after 1, 5 and 30 minutes, as the same mail", async () => {
  const { times, ids } = await attemptsWith(Object.assign(new Error("Busy"), { temporary: true }));
  expect(times).toEqual([0, 1, 6, 36]);
  expect(ids.size).toBe(1);
});

test("a mail to the owner of an account that is refused permanently is not sent again", async () => {
  expect((await attemptsWith(new Error("No such user"))).times).toEqual([0]);
});

test.each([
  ["html", /<img src="cid:logo@signalbox".*<p>Hello Ann,<\/p>.*href="https:\/\/ops\.example"/s, ["logo@signalbox"]],
  ["text", /^$/, []],
] as const)("a mail to the owner of an account has the form %s like all mails", async (format, html, images) => {
  await using box = await createTestSignalbox({
    config: { email_format: format, base_app_url: "https://ops.example/" },
  });
  const user = { username: "ann", password: "secret", email: "ann@example.com", full_name: "Ann" };
  await box.api.userAdminCreate({ ...user, send_email: true });
  const mail = await box.mails.waitFor();
  expect(mail.html ?? "").toMatch(html);
  expect(mail.text).toContain("Sign In: https://ops.example\n");
  expect((mail.attachments ?? []).map(({ contentId }) => contentId)).toEqual(images);
});
