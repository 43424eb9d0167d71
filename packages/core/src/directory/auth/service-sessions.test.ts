import { describe, expect, test } from "vitest";
import { type Answer, clientAt, startWithAccounts } from "../../../test/directory/accounts.ts";
import { recordingLogger, refusalOf, START } from "../../../test/engine.ts";
import { csrfTokenOf, newSession, sessionKey } from "./rules/session.ts";

const invalid = { code: "session", description: "Session has expired or is invalid." };
const DAY = 86_400;

async function setUp(options: Parameters<typeof startWithAccounts>[0] = {}) {
  const at = await startWithAccounts(options);
  await at.addUser("Joe");
  const sessionId = await at.signIn("joe");
  const joe = at.as({ sessionId });
  return {
    ...at,
    sessionId,
    joe,
    async newKey() {
      const { plain_key } = await at.api.createApiKey({ title: "K", privileges: { create_tags: true } });
      return { apiKey: plain_key };
    },
  };
}

describe("a session", () => {
  test.each(["", "zz", "AB".repeat(32), "ab".repeat(32), `${"ab".repeat(32)}\n`, "../users/admin"])(
    "with the id %j is unknown",
    async (sessionId) => {
      await using at = await startWithAccounts();
      expect(await refusalOf(at.as({ sessionId }).getTags())).toEqual(invalid);
    },
  );

  test("cannot be used by the key it is stored under", async () => {
    await using at = await setUp();
    const [session] = await at.sessions();
    expect(await refusalOf(at.as({ sessionId: session?.id ?? "" }).getTags())).toEqual(invalid);
  });

  test("ends after the configured days without use", async () => {
    await using at = await setUp({ config: { User: { session_expire_days: 2 } } });
    at.clock.step(2 * DAY - 1);
    await at.joe.getTags();
    await at.cradle.sessions.settled();
    at.clock.step(2 * DAY - 1);
    await at.joe.getTags();
    await at.cradle.sessions.settled();
    at.clock.step(2 * DAY);
    expect(await refusalOf(at.joe.getTags())).toEqual(invalid);
  });

  test("uses the present configuration of these days", async () => {
    await using at = await setUp();
    await at.api.adminUpdateConfig({ "User.session_expire_days": 1 } as never);
    await at.clock.advance(3600);
    await at.joe.getTags();
    await at.cradle.sessions.settled();
    expect(await at.sessions()).toMatchObject([{ expires: START + 3600 + DAY }]);
  });

  test("is extended at most once an hour", async () => {
    await using at = await setUp();
    const modified = async () => (await at.sessions())[0]?.modified;
    await at.clock.advance(3599);
    await at.joe.getTags();
    await at.cradle.sessions.settled();
    expect(await modified()).toBe(START);
    await at.clock.advance(1);
    await Promise.all([at.joe.getTags(), at.joe.getTags()]);
    await at.cradle.sessions.settled();
    expect(await at.sessions()).toMatchObject([{ modified: START + 3600, expires: START + 3600 + 365 * DAY }]);
  });

  test("a session that ends while its use is being saved stays ended, and nothing is logged", async () => {
    const log = recordingLogger();
    await using at = await setUp({ log });
    await at.clock.advance(3600);
    const [session] = await at.sessions();
    if (!session) throw new Error("There is no session");
    await at.call("user/logout", {}, { sessionId: at.sessionId });
    at.cradle.sessions.touch(session);
    await at.cradle.sessions.settled();
    expect(await at.sessions()).toEqual([]);
    expect(log.lines.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
  });

  test("beyond a thousand of one account ends the oldest", async () => {
    await using at = await setUp();
    const { sessions, transact } = at.cradle;
    const ids = Array.from({ length: 1001 }, (_, number) => number.toString(16).padStart(64, "0"));
    const facts = { user: "joe", username: "joe", ip: "", userAgent: "", now: START, period: DAY };
    for (const id of ids) await transact(({ tx }) => sessions.add(tx, newSession({ id, ...facts })));
    expect(await at.sessions()).toHaveLength(1000);
    const [ended = "", kept = ""] = [ids[0], ids[1]];
    for (const sessionId of [at.sessionId, ended])
      expect(await refusalOf(at.as({ sessionId }).getTags())).toEqual(invalid);
    expect((await at.as({ sessionId: kept }).getTags()).list.length).toBe(2);
  });

  test("the hourly sweep removes expired sessions, and no others", async () => {
    await using at = await setUp({ config: { User: { session_expire_days: 1 } } });
    at.clock.step(DAY / 2);
    await at.signIn("joe");
    at.clock.step(DAY / 2);
    await at.clock.advance(3600);
    expect(await at.sessions()).toMatchObject([{ created: START + DAY / 2 }]);
  });

  test("says that its account is disabled or deleted", async () => {
    await using at = await setUp();
    await at.changeUser("joe", { active: 0 });
    expect(await refusalOf(at.joe.getTags())).toEqual({
      code: "session",
      description: "User account is disabled: joe",
    });
    await at.removeUser("joe");
    expect(await refusalOf(at.joe.getTags())).toEqual({ code: "user", description: "User not found: joe" });
  });

  test("has the present rights of its account", async () => {
    await using at = await setUp();
    expect((await refusalOf(at.joe.createTag({ title: "T" }))).code).toBe("access");
    await at.changeUser("joe", { privileges: { create_tags: true } });
    await at.joe.createTag({ title: "T" });
    await at.changeUser("joe", { privileges: {} });
    expect((await refusalOf(at.joe.createTag({ title: "T" }))).code).toBe("access");
  });

  test("an ended session is refused with the very next request, each time", async () => {
    await using at = await setUp();
    for (let round = 0; round < 50; round++) {
      const sessionId = await at.signIn("joe");
      await at.as({ sessionId }).getTags();
      const [request, end] = [at.as({ sessionId }).getTags(), at.call("user/logout", {}, { sessionId })];
      await Promise.allSettled([request, end]);
      expect(await refusalOf(at.as({ sessionId }).getTags())).toEqual(invalid);
    }
  });
});

describe("a session beside a key", () => {
  test("takes precedence", async () => {
    await using at = await setUp();
    const { apiKey } = await at.newKey();
    expect((await refusalOf(at.as({ sessionId: at.sessionId, apiKey }).createTag({ title: "T" }))).code).toBe("access");
  });

  test("an unknown session is ignored in favour of the key only when it came by cookie", async () => {
    await using at = await setUp();
    const { apiKey } = await at.newKey();
    const stale = { sessionId: "ab".repeat(32), apiKey };
    expect((await at.as({ ...stale, sessionFromCookie: true }).createTag({ title: "T" })).tag.title).toBe("T");
    expect(await refusalOf(at.as(stale).createTag({ title: "T" }))).toEqual(invalid);
    expect(await refusalOf(at.as({ sessionId: "zz", sessionFromCookie: true }).getTags())).toEqual(invalid);
  });
});

describe("the CSRF token", () => {
  const refused = { code: "session", description: "Invalid session" };

  function write(at: Awaited<ReturnType<typeof setUp>>, more: object, method = "POST"): Promise<Answer> {
    const credentials = { sessionId: at.sessionId, ...more };
    return at.call("get_tags", {}, credentials, clientAt({ method }));
  }

  test.each(["POST", "PUT", "DELETE", "PATCH"])("is needed for %s by cookie", async (method) => {
    await using at = await setUp();
    expect((await write(at, { sessionFromCookie: true }, method)).body).toEqual(refused);
    for (const csrfToken of ["", "zz", csrfTokenOf("ab".repeat(32)), sessionKey(at.sessionId)])
      expect((await write(at, { sessionFromCookie: true, csrfToken }, method)).body).toEqual(refused);
    const csrfToken = csrfTokenOf(at.sessionId);
    expect((await write(at, { sessionFromCookie: true, csrfToken }, method)).body.list.length).toBe(2);
  });

  test.each(["GET", "HEAD"])("is not needed for %s", async (method) => {
    await using at = await setUp();
    expect((await write(at, { sessionFromCookie: true }, method)).body.list.length).toBe(2);
  });

  test("is not needed, and is ignored, when the session did not come by cookie", async () => {
    await using at = await setUp();
    expect((await write(at, {})).body.list.length).toBe(2);
    expect((await write(at, { csrfToken: "zz" })).body.list.length).toBe(2);
  });

  test("is not needed when the configuration says so", async () => {
    await using at = await setUp({ config: { User: { use_csrf: false } } });
    expect((await write(at, { sessionFromCookie: true })).body.list.length).toBe(2);
  });
});
