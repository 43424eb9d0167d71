import { type LogFields, silentLogger } from "@signalbox/core/adapter";
import { expect, test } from "vitest";
import { logMailer } from "./log-mailer.ts";

const mail = {
  from: "ops@example.com",
  to: Array.from({ length: 12 }, (_, index) => `u${index}@example.com`),
  subject: "Disk full",
  text: "https://ops.example.com/reset?t=abc",
  html: "<a>abc</a>",
  messageId: "m1@example.com",
};

test("a mail becomes one line without its text", async () => {
  const lines: LogFields[] = [];
  const mailer = logMailer({ ...silentLogger, info: (fields) => lines.push(fields) });
  await mailer.send(mail, new AbortController().signal);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ subject: "Disk full", recipients: 12, text_length: mail.text.length, count: 1 });
  expect(JSON.stringify(lines)).not.toContain("abc");
});

test("at most ten recipients are named", async () => {
  const lines: LogFields[] = [];
  await logMailer({ ...silentLogger, info: (fields) => lines.push(fields) }).send(mail, new AbortController().signal);
  expect(lines[0]?.["to"]).toHaveLength(10);
});

test("accepted mails are counted", async () => {
  const mailer = logMailer(silentLogger);
  for (let count = 0; count < 3; count++) await mailer.send(mail, new AbortController().signal);
  expect(mailer.sent).toBe(3);
});

test("an aborted mail is neither accepted nor counted", async () => {
  const mailer = logMailer(silentLogger);
  await expect(mailer.send(mail, AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
  expect(mailer.sent).toBe(0);
});
