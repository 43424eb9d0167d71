import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer as createTcpServer } from "node:net";
import { text } from "node:stream/consumers";
import { type LogFields, type Mail, silentLogger } from "@signalbox/core/adapter";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, describe, expect, test } from "vitest";
import { type SmtpMailerOptions, smtpMailer } from "./smtp-mailer.ts";

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

const fixture = (name: string) => readFileSync(new URL(`../web-hook/fixtures/${name}`, import.meta.url));
const key = fixture("self-signed.key.pem");
const cert = fixture("self-signed.cert.pem");

interface Received {
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly text: string;
  readonly secure: boolean;
  readonly user: string | undefined;
}

/** A real mail server on this machine. */
async function serve(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  let connections = 0;
  const server = new SMTPServer({
    key,
    cert,
    authOptional: true,
    onConnect(_session, done) {
      connections += 1;
      done();
    },
    onData(stream, { envelope, secure, user }, done) {
      const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
      const to = envelope.rcptTo.map(({ address }) => address);
      text(stream).then(
        (content) => {
          received.push({ envelope: { from, to }, text: content, secure, user: user as string | undefined });
          done();
        },
        (error: Error) => done(error),
      );
    },
    ...options,
  });
  server.on("error", () => undefined);
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  cleanUp.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = listener.address() as AddressInfo;
  return { port, received, connections: () => connections };
}

function mailerFor(port: number, options: Partial<SmtpMailerOptions> = {}) {
  const mailer = smtpMailer({
    server: { host: "127.0.0.1", port },
    tls: { ca: cert, checkServerIdentity: () => undefined },
    ...options,
  });
  cleanUp.push(() => mailer.close());
  return mailer;
}

const never = new AbortController().signal;
const mail = (members: Partial<Mail> = {}): Mail => ({
  from: "ops@example.com",
  to: ['"Lee, Ann" <ann@example.com>', "bob@example.com"],
  subject: "Backup failed: größer",
  text: "It failed.\n",
  html: "<p>It failed.</p>",
  messageId: "<abc@ops.example.com>",
  ...members,
});
const failureOf = (sending: Promise<unknown>): Promise<Error & { temporary?: boolean }> =>
  sending.then(
    () => new Error("sent"),
    (error) => error,
  );

describe("a mail", () => {
  test("arrives at all its recipients with both forms and its own Message-ID, over TLS if available", async () => {
    const server = await serve();
    await mailerFor(server.port).send(mail({ cc: ["cc@example.com"], bcc: ["hidden@example.com"] }), never);
    const [got] = server.received;
    expect(got?.envelope).toEqual({
      from: "ops@example.com",
      to: ["ann@example.com", "bob@example.com", "cc@example.com", "hidden@example.com"],
    });
    expect(got?.secure).toBe(true);
    expect(got?.text).toContain('To: "Lee, Ann" <ann@example.com>, bob@example.com');
    expect(got?.text).toContain("Cc: cc@example.com");
    expect(got?.text).not.toContain("hidden@example.com");
    expect(got?.text).toContain("Message-ID: <abc@ops.example.com>");
    // Auto-responders do not answer such a mail.
    expect(got?.text).toContain("Auto-Submitted: auto-generated\r\n");
    expect(got?.text).toContain("X-Auto-Response-Suppress: All\r\n");
    expect(got?.text).toMatch(/^Subject: =\?UTF-8\?Q\?Backup_failed=3A_gr=C3=B6=C3=9Fer\?=/m);
    expect(got?.text).toMatch(/multipart\/alternative[\s\S]*It failed\.[\s\S]*<p>It failed\.<\/p>/);
  });

  test("cannot add a header by a line break, or have a file read", async () => {
    const server = await serve();
    await mailerFor(server.port).send(
      mail({ subject: "a\r\nBcc: evil@example.com", headers: { "X-Key": "1\r\nX-Evil: 2" } }),
      never,
    );
    expect(server.received[0]?.envelope.to).toHaveLength(2);
    expect(server.received[0]?.text).not.toMatch(/^(?:Bcc|X-Evil):/m);
  });

  test("a mail that a server accepts only for some recipients is sent, and receipt and log name the others", async () => {
    const server = await serve({
      onRcptTo({ address }, _session, done) {
        done(address.startsWith("bob") ? new Error("No such user") : null);
      },
    });
    const lines: LogFields[] = [];
    const log = { ...silentLogger, warn: (fields: LogFields) => void lines.push(fields) };
    const receipt = await mailerFor(server.port, { log }).send(mail(), never);
    expect(receipt).toEqual({ refused: ["bob@example.com"], later: [] });
    expect(lines).toMatchObject([{ message_id: "<abc@ops.example.com>", rejected: ["bob@example.com"] }]);
  });

  test("reaches a temporarily refused recipient separately later", async () => {
    const refusals = [Object.assign(new Error("Greylisted"), { responseCode: 450 })];
    const server = await serve({
      onRcptTo: ({ address }, _session, done) => done(address.startsWith("bob") ? refusals.pop() : undefined),
    });
    const mailer = mailerFor(server.port);
    const { later = [] } = (await mailer.send(mail(), never)) ?? {};
    expect(await mailer.send(mail({ only: later }), never)).toEqual({ refused: [], later: [] });
    const from = "ops@example.com";
    const envelopes = [["ann@example.com"], ["bob@example.com"]].map((to) => ({ from, to }));
    expect(server.received.map(({ envelope }) => envelope)).toEqual(envelopes);
    expect(server.received[1]?.text).toContain('To: "Lee, Ann" <ann@example.com>, bob@example.com');
  });
});

describe("connections", () => {
  test("are kept and bounded: fifty mails at once take two", async () => {
    const server = await serve();
    const mailer = mailerFor(server.port, { maxConnections: 2 });
    await Promise.all(Array.from({ length: 50 }, () => mailer.send(mail(), never)));
    expect([server.received.length, server.connections()]).toEqual([50, 2]);
  });

  test("have a bounded number of waiting mails", async () => {
    const server = await serve();
    const mailer = mailerFor(server.port, { maxConnections: 1, maxWaiting: 2 });
    const sendings = Array.from({ length: 4 }, () => mailer.send(mail(), never));
    expect(await failureOf(sendings[3] as Promise<void>)).toMatchObject({
      message: "Too many mails are waiting: 2",
      temporary: true,
    });
    await Promise.all(sendings.slice(0, 3));
    expect(server.received).toHaveLength(3);
  });

  test("are not used any more after the close", async () => {
    const server = await serve();
    const mailer = mailerFor(server.port);
    mailer.close();
    await expect(mailer.send(mail(), never)).rejects.toThrow("The mailer is closed");
  });
});

describe("credentials", () => {
  const withUser = (tls?: "none" | "opportunistic") => ({
    server: { host: "127.0.0.1", port: 0, auth: { user: "ops", pass: "hunter2+/secret" }, ...(tls ? { tls } : {}) },
  });
  const accepting: SMTPServerOptions = {
    authOptional: false,
    onAuth({ username, password }, _session, done) {
      if (password === "hunter2+/secret") done(null, { user: username });
      else done(new Error(`Wrong password: ${password}`));
    },
  };

  test("are sent over TLS", async () => {
    const server = await serve(accepting);
    const { server: given } = withUser();
    await mailerFor(server.port, { server: { ...given, port: server.port } }).send(mail(), never);
    expect(server.received).toMatchObject([{ secure: true, user: "ops" }]);
  });

  test("are not sent to a server without TLS, unless the host allows it", async () => {
    const server = await serve({
      ...accepting,
      hideSTARTTLS: true,
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
    });
    const strict = { ...withUser().server, port: server.port };
    const failure = await failureOf(mailerFor(server.port, { server: strict }).send(mail(), never));
    expect(failure.message).toMatch(/STARTTLS|TLS/);
    const open = { ...withUser("none").server, port: server.port };
    await mailerFor(server.port, { server: open }).send(mail(), never);
    expect(server.received).toMatchObject([{ secure: false, user: "ops" }]);
  });

  test("are in no error, also when the server repeats them", async () => {
    const server = await serve({
      ...accepting,
      onAuth: ({ password }, _session, done) => done(new Error(`Wrong password: ${password}`)),
    });
    const mailer = mailerFor(server.port, { server: { ...withUser().server, port: server.port } });
    const failure = await failureOf(mailer.send(mail(), never));
    expect(failure.message).toContain("Wrong password: •••");
    expect(JSON.stringify([failure.message, failure.stack, { ...failure }])).not.toContain("hunter2");
    expect(failure.temporary).toBe(false);
  });

  test("are in no error of a server that supports only AUTH LOGIN", async () => {
    const onAuth: SMTPServerOptions["onAuth"] = ({ method, password }, _session, done) =>
      done(new Error(`${method}: ${Buffer.from(String(password)).toString("base64")}`));
    const server = await serve({ ...accepting, authMethods: ["LOGIN"], onAuth });
    const wrong = { ...withUser().server, port: server.port };
    const failure = await failureOf(mailerFor(server.port, { server: wrong }).send(mail(), never));
    expect(failure.message).toContain("LOGIN: •••");
    expect(failure.message).not.toContain(Buffer.from("hunter2+/secret").toString("base64"));
  });

  test("are not sent to a server with a trusted certificate of another name", async () => {
    const server = await serve(accepting);
    const mailer = smtpMailer({ server: { ...withUser().server, port: server.port }, tls: { ca: cert } });
    cleanUp.push(() => mailer.close());
    const failure = await failureOf(mailer.send(mail(), never));
    expect(failure.message).toMatch(/does not match certificate|altnames/i);
    expect(failure.message).not.toContain("hunter2");
    expect(server.received).toEqual([]);
  });

  test("are not sent to a server with an untrusted certificate", async () => {
    const server = await serve(accepting);
    const mailer = smtpMailer({ server: { ...withUser().server, port: server.port } });
    cleanUp.push(() => mailer.close());
    expect((await failureOf(mailer.send(mail(), never))).message).toMatch(/self-signed|certificate/i);
    expect(server.received).toEqual([]);
  });
});

describe("a failure of the mail server", () => {
  test.each([
    [451, true],
    [554, false],
  ])("with the reply %i is temporary: %s", async (responseCode, temporary) => {
    const server = await serve({
      onMailFrom: (_address, _session, done) => done(Object.assign(new Error("Not now"), { responseCode })),
    });
    const failure = await failureOf(mailerFor(server.port).send(mail(), never));
    expect(failure).toMatchObject({ temporary });
    expect(failure.message).toContain("Not now");
  });

  test("to connect is temporary", async () => {
    const server = createTcpServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await failureOf(mailerFor(port).send(mail(), never))).toMatchObject({ temporary: true });
  });

  test("by silence comes after the time-out, and is temporary", async () => {
    const server = createTcpServer(() => undefined).listen(0, "127.0.0.1");
    cleanUp.push(() => server.close());
    server.on("connection", (socket) => cleanUp.push(() => socket.destroy()));
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const mailer = mailerFor(port, { connectTimeoutMs: 100 });
    expect(await failureOf(mailer.send(mail(), never))).toMatchObject({ temporary: true });
  });

  test("by an abort has the caller's reason", async () => {
    const server = createTcpServer(() => undefined).listen(0, "127.0.0.1");
    cleanUp.push(() => server.close());
    await once(server, "listening");
    const abort = new AbortController();
    const connected = once(server, "connection");
    const sending = failureOf(mailerFor((server.address() as AddressInfo).port).send(mail(), abort.signal));
    const [socket] = await connected;
    cleanUp.push(() => socket.destroy());
    abort.abort(new Error("Too late"));
    expect((await sending).message).toBe("Too late");
    await expect(mailerFor(1).send(mail(), AbortSignal.abort(new Error("Never")))).rejects.toThrow("Never");
  });
});
