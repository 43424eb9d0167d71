import { Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  type Conductor,
  type ConductorSetup,
  openPage,
  type PageOptions,
  useConductors,
} from "../../test/ws-conductor.ts";

const start = useConductors();
const PASSWORD = "correct horse battery";

async function setUp(setup?: ConductorSetup) {
  const conductor = await start(setup);
  const { api, clock, signalbox, url, until } = conductor;
  /** Creates an account with these privileges, and returns one of its session ids. */
  async function signIn(username: string, members: object = {}): Promise<string> {
    await api.userAdminCreate({ username, full_name: username, email: "a@b.example", password: PASSWORD, ...members });
    const input = { username, password: PASSWORD };
    return ((await signalbox.execute({ operation: "user/login", input })) as { session_id: string }).session_id;
  }
  async function channel(options: Partial<PageOptions> = {}, attempt = 1) {
    const page = await openPage({ url, ...options });
    page.send("authenticate", { attempt });
    await until(() => page.received.length > 0);
    return page;
  }
  /** Pages learn of changes only after a moment of the clock. */
  const told = async (isTrue: () => boolean): Promise<void> => {
    await clock.advance(0.2);
    await until(isTrue);
  };
  return { ...conductor, signIn, channel, told };
}

const idle = ({ agents, until }: Conductor): Promise<void> => until(() => agents.size === 0);

describe("authenticate", () => {
  test("answers the session of the cookie with the version, and a later attempt with everything", async () => {
    const at = await setUp();
    const session = await at.signIn("ann");
    const first = await at.channel({ session });
    expect(first.received).toEqual([{ cmd: "login", data: { version: expect.any(String) } }]);
    const second = await at.channel({ session }, 2);
    await at.until(() => second.received.length > 1);
    const [login, update] = second.received;
    expect([login?.data, update?.cmd]).toEqual([{ version: expect.any(String) }, "update"]);
    expect(Object.keys(update?.data ?? {})).toEqual(
      expect.arrayContaining(["events", "tags", "categories", "servers", "activeAlerts", "state"]),
    );
  });

  test.each([
    ["without a cookie", undefined, "No Session ID or API Key could be found"],
    ["with an unknown session", "0".repeat(64), "Session has expired or is invalid."],
  ])("%s fails and ends the channel", async (_case, session, description) => {
    const at = await setUp();
    const page = await at.channel(session === undefined ? {} : { session });
    expect(page.received).toEqual([{ cmd: "auth_failure", data: { description } }]);
    expect(await page.closed).toBe(`1000 ${description}`);
    await idle(at);
  });

  test("with an expired session fails", async () => {
    const at = await setUp();
    const session = await at.signIn("ann");
    await at.api.adminLogoutAll({ username: "ann" });
    expect((await at.channel({ session })).received.map(({ cmd }) => cmd)).toEqual(["auth_failure"]);
  });

  test("is only allowed from the same origin, and works beside satellites", async () => {
    const at = await setUp();
    const session = await at.signIn("ann");
    const origin = at.url.replace("ws:", "http:").replace(/\/$/, "");
    for (const foreign of ["https://evil.example", "null", `${origin}1`])
      await expect(openPage({ url: at.url, session, origin: foreign })).rejects.toThrow("403");
    expect((await at.channel({ session, origin })).all("login")).toHaveLength(1);
    const satellite = await at.join({ id: "s1" });
    satellite.send("authenticate", { attempt: 1 });
    const echo = satellite.next("echo");
    await at.clock.advance(6);
    await echo;
    expect([satellite.isOpen, satellite.received.some(({ cmd }) => cmd === "login")]).toEqual([true, false]);
  });

  test("must come within thirty seconds", async () => {
    const at = await setUp();
    const page = await openPage({ url: at.url, session: await at.signIn("ann") });
    await at.clock.advance(31);
    expect(await page.closed).toBe("1000 Authentication took too long.");
  });
});

describe("a channel", () => {
  test("is closed by both sides when the engine stops, and not cut off", async () => {
    const at = await setUp();
    const page = await at.channel({ session: await at.signIn("ann") });
    // By the port of the engine: sockets that other tests have left may be reset meanwhile.
    const reset: number[] = [];
    const { resetAndDestroy } = Socket.prototype;
    const spied = vi.spyOn(Socket.prototype, "resetAndDestroy").mockImplementation(function (this: Socket) {
      reset.push(this.localPort ?? 0);
      return resetAndDestroy.call(this);
    });
    onTestFinished(() => spied.mockRestore());
    await at.signalbox.stop();
    expect(await page.closed).toMatch(/^1000 /);
    expect(reset).not.toContain(at.port);
  });

  test("sends each caller the changes within reach, and the status of each second", async () => {
    const at = await setUp();
    for (const id of ["ops", "rail"]) await at.api.createCategory({ id, title: id });
    const admin = await at.channel({ session: await at.signIn("ann", { privileges: { admin: true } }) });
    const limited = await at.channel({ session: await at.signIn("bob", { categories: ["ops"], privileges: {} }) });
    const base = {
      title: "E",
      plugin: "shellplug",
      targets: ["main"],
      algo: "random",
      triggers: [],
      enabled: true,
      params: { script: "true" },
    };
    await at.api.createEvent({ ...base, id: "e1", category: "ops" } as never);
    await at.api.createEvent({ ...base, id: "e2", category: "rail" } as never);
    const eventsOf = ({ all }: typeof admin) =>
      all("update").findLast(({ events }) => events !== undefined)?.["events"] as { id: string }[] | undefined;
    await at.told(() => [admin, limited].every((page) => eventsOf(page) !== undefined));
    expect(
      [admin, limited].map((page) =>
        eventsOf(page)
          ?.map(({ id }) => id)
          .filter((id) => /^e\d$/.test(id)),
      ),
    ).toEqual([["e1", "e2"], ["e1"]]);
    expect([admin, limited].map(({ all }) => all("activity").length > 0)).toEqual([true, false]);
    await at.clock.advance(1);
    await at.until(() => [admin, limited].every(({ all }) => all("status").length > 0));
  });

  test("sends updates of the page that user_nav named last", async () => {
    const at = await setUp();
    const page = await at.channel({ session: await at.signIn("ann") });
    const made = await Promise.all(["A", "B"].map((subject) => at.api.createTicket({ subject, body: "x" })));
    const [a = "", b = ""] = made.map(({ ticket }) => ticket.id);
    const updates = (): unknown[] => page.all("page_update").map(({ loc }) => loc);
    for (const id of [a, b]) {
      page.send("user_nav", { loc: `Ticket?id=${id}&tab=changes` });
      await at.told(() => true);
      await at.until(async () => {
        await at.api.updateTicket({ id, body: `y${updates().length}` });
        await at.clock.advance(0.2);
        return updates().includes(`Ticket?id=${id}`);
      });
    }
    const before = updates().length;
    await at.api.updateTicket({ id: a, body: "z" });
    await at.api.createTag({ title: "Mark" });
    await at.told(() => page.all("update").some(({ tags }) => JSON.stringify(tags).includes("Mark")));
    expect(updates().slice(before)).toEqual([]);
  });

  test("ends with logout when the sessions of its user end", async () => {
    const at = await setUp();
    const page = await at.channel({ session: await at.signIn("ann") });
    await at.api.adminLogoutAll({ username: "ann" });
    await at.told(() => page.all("logout").length === 1);
    expect(await page.closed).toBe("1000 The channel has ended.");
    await idle(at);
  });

  test("is closed when echoes are not answered, and stays open while they are", async () => {
    const at = await setUp();
    const session = await at.signIn("ann");
    const [alive, silent] = [await at.channel({ session }), await at.channel({ session, answersEcho: false })];
    for (let sec = 0; sec < 35; sec += 5) {
      const { length } = alive.all("echo");
      await at.clock.advance(5);
      await at.until(() => alive.all("echo").length > length);
    }
    expect(await silent.closed).toBe("1000 Ping timeout.");
    expect(alive.all("echo").at(-1)).toEqual({ id: expect.any(String), last_ping_ms: expect.any(Number) });
    expect(alive.socket.readyState).toBe(alive.socket.OPEN);
  });

  test("of a client that does not read is cut off, and others continue", async () => {
    const at = await setUp();
    const session = await at.signIn("ann");
    const [slow, calm] = [await at.channel({ session }), await at.channel({ session })];
    slow.socket.pause();
    const text = "x".repeat(200_000);
    for (let id = 0; at.agents.size === 2; id++) {
      if (id === 500) throw new Error("It was not cut off");
      at.signalbox.events.emit("notice.broadcast", { type: "info", message: text, sound: "" } as never);
      await at.told(() => calm.all("notify").length > id);
    }
    expect(calm.socket.readyState).toBe(calm.socket.OPEN);
    slow.socket.resume();
    expect(await slow.closed).toMatch(/^1006/);
  });
});

describe("hostile frames", () => {
  const long = JSON.stringify({ cmd: "user_nav", data: { loc: "x".repeat(70_000) } });
  test.each<[string, (page: Awaited<ReturnType<typeof openPage>>) => void, string]>([
    ["a long message", ({ socket }) => socket.send(long), "1009 A message is too long."],
    ["a message without end", ({ socket }) => socket.send("x".repeat(1_000_000)), "1009 A message is too long."],
    ["bytes", ({ socket }) => socket.send(Buffer.from([1])), "1003 Messages are text."],
    [
      "no JSON",
      ({ socket }) => Array.from({ length: 10 }, () => socket.send("{")),
      "1008 Too many malformed messages.",
    ],
    [
      "no place",
      ({ send }) => send("user_nav", { loc: 7 }),
      "1000 user_nav: loc is up to 20 pages, one a line, of 4000 characters together.",
    ],
    [
      "many places",
      ({ send }) =>
        send("user_nav", { loc: "a\n".repeat(1) + Array.from({ length: 30 }, (_, n) => `p${n}`).join("\n") }),
      "1000 user_nav: loc is up to 20 pages, one a line, of 4000 characters together.",
    ],
  ])("%s ends the channel with its reason", async (_case, act, reason) => {
    const at = await setUp();
    const session = await at.signIn("ann");
    const page = await at.channel({ session });
    act(page);
    expect(await page.closed).toBe(reason);
    expect((await at.channel({ session })).all("login")).toHaveLength(1);
  });

  test("with a long first message, and unknown commands", async () => {
    const at = await setUp();
    const session = await at.signIn("ann");
    const page = await openPage({ url: at.url, session });
    page.send("authenticate", { attempt: 1, more: "x".repeat(70_000) });
    expect(await page.closed).toBe("1009 A message is too long.");
    const calm = await at.channel({ session });
    for (const cmd of ["hello", "join", "authenticate", "nonsense"]) calm.send(cmd, { __proto__: null, id: "x" });
    await at.clock.advance(1);
    await at.until(() => calm.all("status").length > 0);
    expect(calm.all("login")).toHaveLength(1);
  });

  test("above the allowed rate wait, and are processed until the end of the channel", async () => {
    const at = await setUp();
    const page = await at.channel({ session: await at.signIn("ann") });
    const state = { isOver: false };
    const over = page.closed.then((why) => {
      state.isOver = true;
      return why;
    });
    const flood = (): void => {
      if (page.socket.readyState !== page.socket.OPEN) return;
      for (let index = 0; index < 200; index++) page.send("user_nav", { loc: "Home" });
    };
    await at.until(async () => {
      flood();
      await at.clock.advance(1);
      return state.isOver;
    });
    expect(await over).toBe("1008 Too many messages.");
  });
});
