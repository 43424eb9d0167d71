import { describe, expect, test } from "vitest";
import { useHooks } from "../../../test/directory/system-hook-setup.ts";

const setUp = useHooks();
const URL_HOOK = "https://example.com/in";
const tag = (id: string) => ({ id, title: `Tag ${id}` });

describe("a system hook", () => {
  test("reports an activity after its commit, with the members that receivers expect", async () => {
    const at = await setUp({ tag_create: URL_HOOK });
    await at.api.createTag(tag("nightly"));
    await at.settle();
    const text = "Signalbox Tag created: Tag nightly";
    expect(at.sent).toMatchObject([
      {
        method: "POST",
        url: URL_HOOK,
        headers: {
          "Content-Type": "application/json",
          "X-Idempotency-Key": expect.stringMatching(/^hook\/a\w+\/tag_create\/url$/),
        },
      },
    ]);
    expect(at.bodies()).toMatchObject([
      {
        action: "tag_create",
        epoch: Math.floor(at.clock.now()),
        username: "system",
        tag: { id: "nightly" },
        description: "Tag created: Tag nightly",
        ...{ text, content: text, message: text },
      },
    ]);
  });

  test("may come with the configuration of the host, and then fires from the first row on", async () => {
    const at = await setUp({}, { config: { hooks: { role_create: URL_HOOK } } });
    expect(new Set(at.actions())).toEqual(new Set(["role_create"]));
    expect(at.bodies()[0]).toMatchObject({ role: { id: expect.any(String) }, username: "system" });
  });

  test("reports nothing of a refused call", async () => {
    const at = await setUp({ "*": URL_HOOK });
    await at.api.createTag(tag("nightly"));
    await expect(at.api.createTag(tag("nightly"))).rejects.toThrow();
    await at.settle();
    expect(at.actions()).toEqual(["tag_create"]);
  });

  test("the hook with the exact name takes precedence over the hook of all actions", async () => {
    const at = await setUp({ "*": "https://example.com/all", tag_create: "https://example.com/tag" });
    await at.api.createTag(tag("nightly"));
    await at.api.deleteTag({ id: "nightly" });
    await at.settle();
    expect(at.sent.map(({ url }) => url)).toEqual(["https://example.com/tag", "https://example.com/all"]);
  });

  test("does not mistake an inherited member of an object for a hook", async () => {
    const at = await setUp({ tag_create: URL_HOOK });
    await at.api.deleteTag({ id: "nobody" }).catch(() => undefined);
    await at.api.createCategory({ id: "ops", title: "Ops", enabled: true });
    await at.settle();
    expect(at.sent).toEqual([]);
  });

  test("encodes values of macros in its address, and never expands them twice", async () => {
    const at = await setUp({ tag_create: `${URL_HOOK}?what={{ tag.title }}&none={{ nothing }}` });
    await at.api.createTag({ id: "a", title: "a/b?c=&{{ description }}#é" });
    await at.settle();
    const [{ url = "" } = {}] = at.sent;
    expect(new URL(url).searchParams.get("what")).toBe("a/b?c=&{{ description }}#é");
    expect(new URL(url).searchParams.get("none")).toBe("");
  });

  test("fires a web hook with its own templates", async () => {
    const at = await setUp({ tag_create: "chat" });
    await at.api.createWebHook({
      id: "chat",
      title: "Chat",
      enabled: true,
      url: "https://chat.example.com/",
      method: "POST",
      headers: [{ name: "Content-Type", value: "application/json" }],
      body: '{ "text": "{{ text }}", "by": "{{ username }}" }',
    });
    await at.api.createTag(tag("nightly"));
    await at.settle();
    expect(at.bodies()).toEqual([{ text: "Signalbox Tag created: Tag nightly", by: "system" }]);
  });

  test("sends a mail with the members of the activity", async () => {
    const at = await setUp({ tag_create: { email: "ops@example.com, b@example.com" } });
    await at.api.createTag(tag("nightly"));
    await at.settle();
    expect(at.mails).toMatchObject([
      { to: ["ops@example.com", "b@example.com"], subject: "Signalbox Tag created: Tag nightly" },
    ]);
    const [{ text = "" } = {}] = at.mails;
    for (const line of ["- **Action:** tag_create", "- **User:** system", '"id": "nightly"'])
      expect(text).toContain(line);
  });

  test("opens a ticket whose own rows fire no hook", async () => {
    const at = await setUp({ "*": { ticket: { type: "change", tags: ["ops"], id: "mine" }, url: URL_HOOK } });
    await at.api.createTag(tag("nightly"));
    await at.settle();
    await at.settle();
    const tickets = await at.tickets();
    expect(tickets).toMatchObject([
      {
        subject: "Activity Report: Tag created: Tag nightly",
        status: "open",
        type: "change",
        tags: ["ops"],
        username: "system",
        body: expect.stringContaining("tag_create"),
      },
    ]);
    expect(tickets[0]?.id).not.toBe("mine");
    expect(at.actions()).toEqual(["tag_create"]);
    const { rows } = await at.api.searchActivity({ query: "action:ticket_create" });
    expect(rows).toHaveLength(1);
  });

  test("its tickets sort by time among tickets that users create", async () => {
    const at = await setUp({ tag_create: { ticket: {} } });
    await at.api.createTicket({ subject: "Before" });
    await at.clock.advance(1);
    for (const id of ["one", "two", "three"]) await at.api.createTag(tag(id));
    await at.settle();
    await at.clock.advance(1);
    await at.api.createTicket({ subject: "After" });
    const { rows } = await at.api.searchTickets({ limit: 9 });
    const [after, before] = [rows[0], rows.at(-1)];
    expect([rows.length, after?.subject, before?.subject]).toEqual([5, "After", "Before"]);
    for (const { id } of rows) expect(id).toMatch(/^t[a-z0-9]{15}$/);
  });

  test("fires for tickets that users create", async () => {
    const at = await setUp({ ticket_create: URL_HOOK });
    await at.api.createTicket({ subject: "Mine" });
    await at.settle();
    expect(at.actions()).toEqual(["ticket_create"]);
  });

  test("runs a command with one line as its input, where the host allows it", async () => {
    const at = await setUp({ tag_create: { shell_exec: "logger -t box" } }, { config: { hook_shell_exec: true } });
    await at.api.createTag(tag("nightly"));
    await at.settle();
    const [spec] = at.processes.started;
    expect(spec).toMatchObject({ command: "/bin/sh", args: ["-c", "logger -t box"] });
    expect(String(spec?.stdin).endsWith("}\n")).toBe(true);
    expect(JSON.parse(String(spec?.stdin))).toMatchObject({ xy: 1, action: "tag_create", tag: { id: "nightly" } });
    expect(Object.keys(spec?.env ?? {}).sort()).toEqual(["XYOPS", "XYOPS_BASE_URL"]);
  });

  test("ends a command after a minute", async () => {
    const at = await setUp(
      { tag_create: { shell_exec: "sleep 1000" } },
      { config: { hook_shell_exec: true }, exit: "never" },
    );
    await at.api.createTag(tag("nightly"));
    await at.settle();
    await at.clock.advance(61);
    expect(at.processes.kills).toEqual(["SIGKILL all"]);
    expect(at.faults()).toMatchObject([{ fields: { error: { message: "The command was ended after 60 seconds" } } }]);
  });

  test("runs all of its parts, and a failed part does not stop the others", async () => {
    const at = await setUp(
      { tag_create: { url: URL_HOOK, web_hook: "nobody", email: "ops@example.com", shell_exec: "false", ticket: {} } },
      { config: { hook_shell_exec: true }, answers: [{ status: 404, statusText: "Not Found" }], exit: { code: 3 } },
    );
    await at.api.createTag(tag("nightly"));
    await at.settle();
    expect(at.mails).toHaveLength(1);
    expect(await at.tickets()).toHaveLength(1);
    const texts = at.faults().map(({ fields }) => [fields["part"], (fields["error"] as Error).message]);
    expect(texts.sort()).toEqual([
      ["shell_exec", "The command ended with code 3"],
      ["url", "The address answered with HTTP 404"],
      ["web_hook", "Web Hook not found: nobody"],
    ]);
  });

  test("keeps its address out of the log, because it may be a credential", async () => {
    const at = await setUp(
      { tag_create: "https://example.com/services/T0/TOKEN" },
      { answers: [new Error("connect ECONNREFUSED https://example.com/services/T0/TOKEN")] },
    );
    await at.api.createTag(tag("nightly"));
    await at.clock.advance(120);
    const shown = at.faults().map(({ fields }) => String(fields["error"]));
    expect(shown).toEqual(["Error: The address did not answer"]);
  });

  test("is tried three times when its address does not answer, each time as the same delivery", async () => {
    const at = await setUp({ tag_create: URL_HOOK }, { answers: [new Error("reset"), { status: 503 }, {}] });
    await at.api.createTag(tag("nightly"));
    await at.clock.advance(60);
    expect(at.sent).toHaveLength(3);
    expect(new Set(at.sent.map(({ headers }) => headers["X-Idempotency-Key"])).size).toBe(1);
    expect(at.faults()).toEqual([]);
  });

  test("gives up after three attempts, and logs it once", async () => {
    const at = await setUp({ tag_create: URL_HOOK }, { answers: [{ status: 503 }] });
    await at.api.createTag(tag("nightly"));
    await at.clock.advance(600);
    expect([at.sent.length, at.faults().length]).toEqual([3, 1]);
  });

  test("is delivered after the next start when the engine ends first", async () => {
    const at = await setUp({ tag_create: URL_HOOK }, { answers: [new Error("reset")] });
    await at.api.createTag(tag("nightly"));
    await at.settle();
    at.crash();
    await at.signalbox.stop().catch(() => undefined);
    const again = await setUp({}, { storage: at.storage, clock: at.clock });
    await again.clock.advance(120);
    const keys = [at, again].map(({ sent }) => sent.map(({ headers }) => headers["X-Idempotency-Key"]));
    expect(keys[1]).toEqual(keys[0]);
    expect(keys[0]).toHaveLength(1);
  });

  test("is not delivered if it was removed from the configuration in the meantime", async () => {
    const at = await setUp({ tag_create: URL_HOOK });
    const told = at.api.createTag(tag("nightly"));
    await at.api.adminUpdateConfig({ hooks: {} });
    await told;
    await at.settle();
    await at.api.createTag(tag("other"));
    await at.settle();
    expect(at.actions()).not.toContain("config_update");
    expect(at.sent.length).toBeLessThanOrEqual(1);
  });

  test("may be set while the engine runs, but not with commands", async () => {
    const at = await setUp({});
    await at.api.adminUpdateConfig({ hooks: { tag_create: URL_HOOK } });
    await at.api.createTag(tag("nightly"));
    await at.settle();
    expect(at.actions()).toEqual(["tag_create"]);
    await expect(at.api.adminUpdateConfig({ hooks: { "*": { shell_exec: "id" } } })).rejects.toMatchObject({
      message: "Malformed parameter: hooks.*.shell_exec (commands are off unless the host sets hook_shell_exec)",
    });
    await expect(at.api.adminUpdateConfig({ hook_shell_exec: true })).rejects.toMatchObject({
      message: "Cannot update reserved configuration keys via API.",
    });
  });
});
