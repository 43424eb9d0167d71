import { describe, expect, test } from "vitest";
import { parseConfig } from "../../engine/config.ts";

describe("hooks of the configuration", () => {
  test.each([
    ["https://example.com/in"],
    ["https://example.com/in?who={{ username }}&what={{ action }}"],
    ["http://[::1]:8080/"],
    ["chat"],
    [{ url: "https://example.com/" }],
    [{ web_hook: "chat", email: "a@example.com, b@example.com", ticket: { type: "change" } }],
  ])("may be %j", (hook) => {
    expect(parseConfig({ hooks: { "*": hook, "job_tag:nightly": hook } }).hooks["*"]).toEqual(hook);
  });

  const ADDRESS = "must begin with http:// or https://, and hold macros behind the host only";
  const TEXT = `must be the id of a web hook or an address, which ${ADDRESS}`;
  const ENDS_EARLY = "Unexpected end of expression: ip + ";
  test.each<[unknown, string]>([
    ["", `hooks.*: ${TEXT}`],
    ["ftp://example.com/", `hooks.*: ${TEXT}`],
    ["file:///etc/passwd", `hooks.*: ${TEXT}`],
    ["javascript:alert(1)", `hooks.*: ${TEXT}`],
    ["https://", `hooks.*: ${TEXT}`],
    ["https:///path", `hooks.*: ${TEXT}`],
    ["https://{{ description }}/", `hooks.*: ${TEXT}`],
    ["https://example.com{{ description }}/", `hooks.*: ${TEXT}`],
    ["https://user@{{ ip }}:80/", `hooks.*: ${TEXT}`],
    ["{{ url }}", `hooks.*: ${TEXT}`],
    ["https://example.com/\r\nHost: evil", `hooks.*: ${TEXT}`],
    [5, "hooks.*: must be a text or an object"],
    [null, "hooks.*: must be a text or an object"],
    [["https://example.com/"], "hooks.*: must be a text or an object"],
    [{}, "hooks.*: names none of url, web_hook, shell_exec, email, ticket"],
    [{ webhook: "chat" }, "hooks.*.webhook: is none of url, web_hook, shell_exec, email, ticket"],
    [{ constructor: "x" }, "hooks.*.constructor: is none of url, web_hook, shell_exec, email, ticket"],
    [{ url: 5 }, `hooks.*.url: ${ADDRESS}`],
    [{ url: "chat" }, `hooks.*.url: ${ADDRESS}`],
    ["https://example.com/{{ ip + }}", `hooks.*: not a text with macros: ${ENDS_EARLY}`],
    [{ url: "https://example.com/?a={{ ip + }}" }, `hooks.*.url: not a text with macros: ${ENDS_EARLY}`],
    [{ url: "https://example.com/{{ }}" }, "hooks.*.url: not a text with macros: Expression is empty"],
    [{ web_hook: "a b" }, "hooks.*.web_hook: must be the id of a web hook"],
    [{ web_hook: "https://example.com/" }, "hooks.*.web_hook: must be the id of a web hook"],
    [{ email: "nobody" }, "hooks.*.email: must be mail addresses, separated by commas"],
    [{ email: "a@example.com,,b@example.com" }, "hooks.*.email: must be mail addresses, separated by commas"],
    [{ email: "a@example.com\r\nBcc: b@example.com" }, "hooks.*.email: must be mail addresses, separated by commas"],
    [{ ticket: "issue" }, "hooks.*.ticket: must be the members of a ticket"],
    [{ ticket: [] }, "hooks.*.ticket: must be the members of a ticket"],
    [{ shell_exec: "" }, "hooks.*.shell_exec: must be a command line"],
    [{ shell_exec: ["rm"] }, "hooks.*.shell_exec: must be a command line"],
    [{ shell_exec: "logger" }, "hooks.*.shell_exec: commands are off unless the host sets hook_shell_exec"],
  ])("may not be %j", (hook, text) => {
    expect(() => parseConfig({ hooks: { "*": hook } })).toThrow(`Configuration ${text}`);
  });

  test.each([["a b"], ["../x"], ["constructor"], ["hasOwnProperty"], [""], ["**"], ["a\nb"]])(
    "have the names of actions, not %j",
    (key) => {
      expect(() => parseConfig({ hooks: { [key]: "chat" } })).toThrow(
        `Configuration hooks.${key}: is not the name of an action`,
      );
    },
  );

  test("have an address and names of limited length", () => {
    const long = `https://example.com/${"x".repeat(10_000)}`;
    expect(() => parseConfig({ hooks: { "*": long } })).toThrow(`Configuration hooks.*: ${TEXT}`);
    expect(() => parseConfig({ hooks: { ["x".repeat(201)]: "chat" } })).toThrow("is not the name of an action");
  });

  test("ignore inherited members that JSON names, such as __proto__", () => {
    const hooks: unknown = JSON.parse('{ "__proto__": { "url": "https://example.com/" }, "notice": "chat" }');
    let taken: object = {};
    try {
      taken = parseConfig({ hooks: hooks as never }).hooks;
    } catch (error) {
      expect(String(error)).toContain("is not the name of an action");
    }
    expect(Object.getPrototypeOf(taken)).toBe(Object.prototype);
    expect((taken as { url?: unknown }).url).toBeUndefined();
  });

  test("number five hundred at most", () => {
    const hooks = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`a${index}`, "chat"]));
    expect(() => parseConfig({ hooks })).toThrow("Configuration hooks: more than 500 hooks");
  });

  test("may run commands where the host allows it", () => {
    const hooks = { critical: { shell_exec: "logger -t signalbox" } };
    expect(parseConfig({ hooks, hook_shell_exec: true }).hooks).toEqual(hooks);
  });
});
