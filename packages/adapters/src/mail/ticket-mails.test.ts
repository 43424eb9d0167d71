import { createSignalbox, memoryBlobStore, memoryStorage } from "@signalbox/core";
import type { StoredRecord } from "@signalbox/core/storage";
import { fakeClock } from "@signalbox/core/testing";
import { afterEach, describe, expect, test } from "vitest";
import { quickKeys, quickPasswords } from "../../../core/test/engine.ts";
import { type MailServerOptions, startMailServer } from "../../test/mail-server.ts";
import { smtpMailer } from "./smtp-mailer.ts";

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

/** Saturday, 21 November 2026, 10:00 in UTC. */
const START = Date.parse("2026-11-21T10:00:00Z") / 1000;

/** A complete engine with a clock that the test controls, and a real mail server. */
async function setUp({ now = START, ...options }: MailServerOptions & { readonly now?: number } = {}) {
  const server = await startMailServer(options);
  cleanUp.push(() => server.close());
  const mailer = smtpMailer({ server: `smtp://127.0.0.1:${server.port}?tls=none` });
  cleanUp.push(() => mailer.close());
  const clock = fakeClock(now);
  const storage = { ...memoryStorage({ clock }), close: async () => undefined };
  const start = async () => {
    const signalbox = createSignalbox({
      ...{ storage, clock, mailer, blobs: memoryBlobStore({ clock }), secretKey: "only for this test" },
      plugins: [quickKeys, quickPasswords],
      config: { base_app_url: "https://ops.example.com", tz: "UTC", debug: true },
    });
    await signalbox.start();
    cleanUp.push(() => signalbox.stop());
    return signalbox;
  };
  const { api, stop } = await start();
  for (const username of ["ann", "bob"])
    await api.userAdminCreate({
      username,
      password: "secret",
      email: `${username}@example.com`,
      full_name: `${username} Lee`,
    });
  const create = async (members: Record<string, unknown> = {}): Promise<string> => {
    const { ticket } = await api.createTicket({
      subject: "Disk full",
      body: "It is *full*.",
      assignees: ["ann"],
      ...members,
    });
    return (ticket as StoredRecord).id;
  };
  return { ...server, api, clock, create, start, stop };
}

const header = (mail: { readonly headers: ReadonlyMap<string, string> } | undefined, name: string): string =>
  mail?.headers.get(name) ?? "";

describe("mails about tickets over a real mail server", () => {
  test("announce a new ticket at once and several changes together, and clients show them as one thread", async () => {
    const at = await setUp();
    const id = await at.create({ cc: ["bob", "x@example.com"], type: "issue" });
    await at.clock.advance(1);
    await at.arrived(1);
    await at.api.updateTicket({ id, status: "in_progress" });
    await at.clock.advance(20);
    await at.api.updateTicket({ id, assignees: ["ann", "bob"] });
    await at.api.addTicketChange({ id, change: { type: "comment", body: "I **look** into it" } });
    await at.clock.advance(29);
    expect(at.taken).toHaveLength(1);
    await at.clock.advance(2);
    await at.arrived(2);
    const [created, updated] = at.taken;
    expect(created?.recipients).toEqual(["ann@example.com", "bob@example.com", "x@example.com"]);
    expect(header(created, "subject")).toBe("Signalbox: #1 created: Disk full");
    expect(created?.text).toContain("<em>full</em>");
    expect(header(updated, "subject")).toBe("Signalbox: #1 updated: Disk full");
    expect(updated?.text).toContain("changed the status to **In Progress**");
    expect(updated?.text).toContain("changed the assignees to **ann Lee, bob Lee**");
    expect(updated?.text).toContain("<p>I <strong>look</strong> into it</p>");
    expect(header(updated, "references")).toBe(`<ticket-${id}@ops.example.com>`);
    expect(header(created, "references")).toBe(header(updated, "references"));
    expect(created?.messageId).not.toBe(updated?.messageId);
    expect(Date.parse(header(updated, "date"))).not.toBeNaN();
    // The page's image is attached.
    expect(updated?.text).toMatch(/Content-ID: <logo@signalbox>/i);
  });

  test("leave once, also when the engine stops during a slow delivery", async () => {
    const { promise: isTaken, resolve: take } = Promise.withResolvers<void>();
    const { promise: answer, resolve: release } = Promise.withResolvers<void>();
    const at = await setUp({
      onTaken() {
        take();
        return answer;
      },
    });
    await at.create();
    await Promise.all([isTaken, at.clock.advance(1)]);
    const stopped = at.stop();
    await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, 300))]);
    release();
    await stopped;
    await at.start();
    await at.clock.advance(60);
    expect(at.taken.map(({ messageId }) => messageId)).toHaveLength(1);
  });

  test("do not report a draft, and announce it when it is published, once", async () => {
    const at = await setUp();
    const id = await at.create({ status: "draft" });
    await at.api.addTicketChange({ id, change: { type: "comment", body: "Hm" } });
    await at.clock.advance(120);
    await at.api.updateTicket({ id, status: "open", subject: "Really full" });
    await at.clock.advance(31);
    await at.arrived(1);
    await at.clock.advance(120);
    expect(at.taken.map((mail) => header(mail, "subject"))).toEqual(["Signalbox: #1 created: Really full"]);
  });

  test("report overdue tickets in the morning, once", async () => {
    const at = await setUp({ now: Date.parse("2026-11-21T04:29:00Z") / 1000 });
    await at.create({ due: "2026-11-20", cc: ["bob"] });
    await at.create({ due: "2026-11-22" });
    await at.clock.advance(5);
    await at.arrived(2);
    await at.clock.advance(60);
    await at.arrived(3);
    await at.clock.advance(180);
    const notices = at.taken.slice(2);
    expect(notices.map((mail) => header(mail, "subject"))).toEqual(["Signalbox: #1 overdue: Disk full"]);
    expect(notices[0]?.recipients).toEqual(["ann@example.com"]);
  });

  test("contain no header from the text of a ticket", async () => {
    const at = await setUp();
    await at.create({ subject: "a\r\nBcc: evil@example.com", body: "<!-- Bcc: evil@example.com -->\r\nX-Evil: 1" });
    await at.clock.advance(1);
    await at.arrived(1);
    expect(at.taken[0]?.recipients).toEqual(["ann@example.com"]);
    expect(at.taken[0]?.headers.has("bcc")).toBe(false);
    expect(header(at.taken[0], "subject")).toBe("Signalbox: #1 created: a Bcc: evil@example.com");
  });

  test("wait for a busy server, and are not sent again after a permanent refusal", async () => {
    const answers = [451, 250, 550];
    let attempts = 0;
    const at = await setUp({
      onMailFrom: (_address, _session, done) => {
        const responseCode = answers[attempts++];
        done(responseCode === 250 ? null : Object.assign(new Error("No"), { responseCode }));
      },
    });
    await at.create();
    await at.clock.advance(1);
    // An attempt takes real time, and the next one is scheduled only when it has ended.
    for (let tries = 0; at.taken.length === 0 && tries < 100; tries++) await at.clock.advance(70);
    await at.arrived(1);
    await at.create();
    await at.clock.advance(120);
    expect([at.taken.length, attempts]).toEqual([1, 3]);
  });
});
