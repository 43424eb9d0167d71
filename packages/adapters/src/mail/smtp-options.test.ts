import { describe, expect, test } from "vitest";
import { smtpMailer } from "./smtp-mailer.ts";
import { parseSmtpUrl } from "./smtp-options.ts";

describe("the address of a server", () => {
  test.each([
    ["smtp://mail.example.com", { host: "mail.example.com" }],
    ["smtp://[::1]:2525?tls=none", { host: "::1", port: 2525, tls: "none" }],
    ["smtps://mail.example.com", { host: "mail.example.com", tls: "implicit" }],
    [
      "smtp://ops%40example.com:p%2Fw@mail.example.com:587",
      { host: "mail.example.com", port: 587, auth: { user: "ops@example.com", pass: "p/w" } },
    ],
  ])("%s is accepted", (url, expected) => {
    expect(parseSmtpUrl(url)).toEqual(expected);
  });

  test.each([
    ["mail.example.com", "like smtp://"],
    ["http://user:hunter2@mail.example.com", "like smtp://"],
    ["smtp://user:hunter2@mail.example.com/inbox", "neither a path"],
    ["smtp://user:hunter2@mail.example.com?pool=1", "unknown option: pool"],
    ["smtp://user:hunter2@mail.example.com?tls=hunter2", "unknown value of tls"],
    ["smtps://user:hunter2@mail.example.com?tls=none", "no other tls"],
    ["smtp://user:hunter2%@mail.example.com", "not percent-encoded"],
  ])("%s is refused without repeating a password", (url, text) => {
    const read = () => parseSmtpUrl(url);
    expect(read).toThrow(text);
    expect(read).not.toThrow(/hunter2/);
    expect(() => smtpMailer({ server: url })).toThrow(/^smtpMailer: server (?!.*hunter2)/);
  });
});
