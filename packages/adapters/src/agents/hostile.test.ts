import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { joinToken, openSatellite, type SocketSatellite } from "@signalbox/core/testing";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { rounds } from "../../../core/test/rounds.ts";
import { type Conductor, type ConductorSetup, captured, SECRET_KEY, useConductors } from "../../test/ws-conductor.ts";

const startConductor = useConductors();
const MIB = 1024 * 1024;
/** Size of a message beyond the 1 MiB that a satellite may send before it has joined. */
const LONG_MIB = rounds(30, 100);
/** Size of a message beyond the 64 MiB that a joined satellite may send. */
const LONGER_MIB = rounds(70, 100);

/** An engine with a well-behaved satellite, whose echoes must still arrive while another one attacks. */
async function start(setup: ConductorSetup = {}) {
  const conductor = await startConductor({ ...setup, config: { ping_freq_sec: 1, ...setup.config } });
  const calm = await conductor.join({ id: "calm", hostname: "calm" });
  return { ...conductor, calm };
}

async function expectUnharmed({ clock, api, calm }: Conductor & { calm: SocketSatellite }): Promise<void> {
  const echo = calm.next("echo");
  await clock.advance(2);
  await echo;
  // Its messages are still accepted.
  calm.send("quickmon", captured("agent-quickmon"));
  const { rows } = await api.getActiveServers();
  expect(rows.map(({ id }) => id)).toContain("calm");
  expect(calm.isOpen).toBe(true);
}

async function greet(url: string, members: object): Promise<SocketSatellite & { nonce: string }> {
  const satellite = await openSatellite(url);
  satellite.send("hello", { hostname: "bad", id: "bad", info: {}, ...members });
  const { data } = await satellite.message("hello");
  return Object.assign(satellite, { nonce: (data as { nonce: string }).nonce });
}

describe("before joining", () => {
  test("an answer to an earlier challenge is refused", async () => {
    const conductor = await start();
    const first = await greet(conductor.url, {});
    const token = joinToken({ clusterKey: SECRET_KEY }, { nonce: first.nonce, id: "bad" });
    const second = await greet(conductor.url, {});
    second.send("join", { token });
    expect((await second.message("auth_failure")).data).toEqual({ description: "Invalid authentication token." });
    await expectUnharmed(conductor);
  });

  test("a silent socket is closed after 30 seconds", async () => {
    const conductor = await start();
    const silent = await openSatellite(conductor.url);
    await conductor.clock.advance(31);
    expect(await silent.closed).toEqual({ code: 1000, reason: "Authentication took too long." });
    await expectUnharmed(conductor);
  });

  test("more than 1 MiB closes the socket with 1009 before it is read to its end", async () => {
    const conductor = await start();
    const socket = new WebSocket(conductor.url);
    await once(socket, "open");
    socket.send(JSON.stringify({ cmd: "hello", data: { info: "x".repeat(LONG_MIB * MIB) } }));
    const [code] = await once(socket, "close");
    expect(code).toBe(1009);
    await expectUnharmed(conductor);
  });

  test("the socket that has sent most is closed when all together have sent too much", async () => {
    const conductor = await start({ maxHelloBytes: 100_000, maxPendingBytes: 150_000 });
    const small = await openSatellite(conductor.url);
    small.sendRaw(" ".repeat(10_000));
    const large = await openSatellite(conductor.url);
    large.sendRaw(" ".repeat(90_000));
    const next = await openSatellite(conductor.url);
    next.sendRaw(" ".repeat(60_000));
    await large.closed;
    expect([small.isOpen, next.isOpen]).toEqual([true, true]);
    await expectUnharmed(conductor);
  });

  test("further sockets of one address are answered 503, until one has joined or closed", async () => {
    const conductor = await start({ maxPendingPerAddress: 2 });
    const waiting = await openSatellite(conductor.url);
    await openSatellite(conductor.url);
    await expect(openSatellite(conductor.url)).rejects.toThrow("refused");
    waiting.close();
    await waiting.closed;
    await conductor.until(() => conductor.agents.size === 2);
    expect((await openSatellite(conductor.url)).isOpen).toBe(true);
  });

  test("members of any wrong type are malformed", async () => {
    const conductor = await start();
    for (const data of [null, [], "x", 5, { hostname: 5 }, { hostname: "h", id: {} }, { hostname: "h", info: "x" }]) {
      const satellite = await openSatellite(conductor.url);
      satellite.send("hello", data);
      expect((await satellite.closed).reason).toBe("Malformed hello message.");
    }
    await expectUnharmed(conductor);
  });

  test("slow requests are cut off when the time for a head is over", async () => {
    const { agents } = await start();
    const { port } = await agents.listen({ port: 0, host: "127.0.0.1", headTimeoutMs: 500 });
    const socket: Socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.write("GET / HTTP/1.1\r\nUpgrade: websocket\r\nX-");
    const dribble = setInterval(() => socket.write("a"), 50);
    const [answer] = (await once(socket, "data")) as [Buffer];
    clearInterval(dribble);
    socket.destroy();
    expect(String(answer)).toContain("408");
  });
});

describe("frames", () => {
  test("a message over the bound closes with 1009, binary ones with 1003, malformed UTF-8 with 1007", async () => {
    const conductor = await start({ maxPayload: 100_000 });
    const join = async () => conductor.join({ id: "bad", hostname: "bad" });
    const large = await join();
    large.send("job_log", { text: "x".repeat(100_000) });
    expect((await large.closed).code).toBe(1009);
    const binary = await join();
    binary.sendRaw(new Uint8Array([1, 2, 3]));
    expect((await binary.closed).code).toBe(1003);
    await expectUnharmed(conductor);
    const socket = new WebSocket(conductor.url);
    await once(socket, "open");
    socket.send(Buffer.from([0xc3, 0x28]), { binary: false });
    expect((await once(socket, "close"))[0]).toBe(1007);
    await expectUnharmed(conductor);
  });

  test(`a ${LONGER_MIB} MB message of a joined satellite closes with 1009 at its head`, async () => {
    const conductor = await start();
    const socket = new WebSocket(conductor.url);
    socket.on("message", (frame) => {
      const { cmd } = JSON.parse(String(frame)) as { cmd: string };
      if (cmd === "hello")
        socket.send(
          JSON.stringify({
            cmd: "join",
            data: { token: joinToken({ serverKey: SECRET_KEY }, { nonce: "", id: "bad" }) },
          }),
        );
      if (cmd === "joined") socket.send("x".repeat(LONGER_MIB * MIB));
    });
    await once(socket, "open");
    socket.send(JSON.stringify({ cmd: "hello", data: { hostname: "bad", id: "bad" } }));
    expect((await once(socket, "close"))[0]).toBe(1009);
    await expectUnharmed(conductor);
  });

  test("nine malformed messages are ignored, ten in a row close the socket", async () => {
    const conductor = await start();
    const satellite = await conductor.join({ id: "bad", hostname: "bad" });
    const malformed = [
      "",
      "{",
      "[]",
      "5",
      '"x"',
      '{"cmd":5}',
      '{"cmd":"a b"}',
      "null",
      `{"cmd":"x","data":${"[".repeat(65)}${"]".repeat(65)}}`,
    ];
    for (const text of malformed) satellite.sendRaw(text);
    satellite.send("unheard_of", {});
    for (const text of malformed) satellite.sendRaw(text);
    const echo = satellite.next("echo");
    await conductor.clock.advance(2);
    await echo;
    satellite.send("unheard_of", {});
    for (let count = 0; count < 10; count++) satellite.sendRaw("{");
    expect(await satellite.closed).toEqual({ code: 1008, reason: "Too many malformed messages." });
    await expectUnharmed(conductor);
  });

  test("a deeply nested message costs no more than reading it", async () => {
    const conductor = await start();
    const satellite = await conductor.join({ id: "bad", hostname: "bad" });
    satellite.sendRaw(`{"cmd":"monitor","data":${"[".repeat(10 * MIB)}`);
    satellite.sendRaw(`{"cmd":"quickmon","data":${'{"a":'.repeat(1_000_000)}1${"}".repeat(1_000_000)}}`);
    await expectUnharmed(conductor);
    expect(satellite.isOpen).toBe(true);
  });

  test("members named after the prototype are dropped", async () => {
    const conductor = await start();
    const satellite = await conductor.join({ id: "bad", hostname: "bad" });
    satellite.sendRaw('{"cmd":"notice","data":{"description":"pollute","__proto__":{"admin":true}}}');
    satellite.sendRaw('{"cmd":"monitor","data":{"date":1,"data":{"\\u005f_proto__":{"admin":true}}}}');
    await expectUnharmed(conductor);
    expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
  });
});

describe("floods", () => {
  test("pings are answered, twenty in a second, and more close the socket", async () => {
    const conductor = await start();
    const socket = new WebSocket(conductor.url);
    let pongs = 0;
    socket.on("pong", () => {
      pongs += 1;
    });
    await once(socket, "open");
    for (let count = 0; count < 20; count++) socket.ping();
    await conductor.until(() => pongs === 20);
    const closed = once(socket, "close");
    for (let count = 0; count < 5000; count++) socket.ping();
    const [code, reason] = await closed;
    expect([code, String(reason), pongs]).toEqual([1008, "Too many pings.", 20]);
    await expectUnharmed(conductor);
  });

  test("a message in more than 256 parts closes the socket", async () => {
    const conductor = await start();
    const socket = new WebSocket(conductor.url);
    await once(socket, "open");
    const closed = once(socket, "close");
    for (let count = 0; count < 300; count++) socket.send(" ", { fin: false });
    expect((await closed)[0]).toBe(1008);
    await expectUnharmed(conductor);
  });

  test("10,000 messages are read a thousand a second, and a satellite that continues is closed", async () => {
    const conductor = await start({ maxBusySeconds: 3 });
    const { clock, signalbox } = conductor;
    const satellite = await conductor.join({ id: "bad", hostname: "bad" });
    for (let count = 0; count < 40_000; count++) satellite.send("quickmon", { count, filling: "x".repeat(50) });
    await expectUnharmed(conductor);
    const { closed } = satellite;
    let hasEnded = false;
    void closed.then(() => {
      hasEnded = true;
    });
    await conductor.until(async () => {
      await clock.advance(1);
      return hasEnded;
    });
    expect(await closed).toEqual({ code: 1008, reason: "Too many messages." });
    await expectUnharmed(conductor);
    expect(signalbox.config.ping_freq_sec).toBe(1);
  });

  /** A satellite that has joined but no longer reads. */
  async function deaf(conductor: Conductor): Promise<WebSocket> {
    const socket = new WebSocket(conductor.url);
    const say = (cmd: string, data: object): void => socket.send(JSON.stringify({ cmd, data }));
    socket.on("message", (frame) => {
      const { cmd } = JSON.parse(String(frame)) as { cmd: string };
      const token = joinToken({ serverKey: SECRET_KEY }, { nonce: "", id: "bad" });
      if (cmd === "hello") say("join", { token });
      if (cmd === "joined") socket.pause();
    });
    await once(socket, "open");
    say("hello", { hostname: "bad", id: "bad" });
    await conductor.until(() => socket.isPaused);
    return socket;
  }

  const large = { title: "Large", type: "event", command: "/bin/cat", script: "x".repeat(200_000), enabled: true };
  const unread = "An agent does not read what it is sent";

  test("a satellite that does not read is cut off", async () => {
    const conductor = await start({ maxBuffered: 100_000 });
    const socket = await deaf(conductor);
    await conductor.until(async () => {
      await conductor.api.createPlugin(large as never);
      return (await conductor.api.getActiveServers()).rows.length < 2;
    });
    expect(conductor.logged.map(({ message }) => message)).toContain(unread);
    socket.terminate();
  });

  test("a satellite that answers echoes without reading is cut off after a minute", async () => {
    const conductor = await start();
    const socket = await deaf(conductor);
    // Each creation sends all plugins: some megabytes more than the system buffers for a reader.
    for (let count = 0; count < 12; count++) await conductor.api.createPlugin(large as never);
    for (let second = 0; second < 65; second++) {
      socket.send(JSON.stringify({ cmd: "echoback", data: { id: "e1" } }));
      const heard = conductor.calm.next("echo");
      await conductor.clock.advance(1);
      await heard;
    }
    await conductor.until(async () => (await conductor.api.getActiveServers()).rows.length < 2);
    expect(conductor.logged.map(({ message }) => message)).toContain(unread);
    socket.terminate();
  });
});
