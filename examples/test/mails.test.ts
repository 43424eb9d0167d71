import { smtpMailer } from "@signalbox/adapters/mail";
import { type ConfigInput, createSignalbox, memoryBlobStore, memoryStorage } from "@signalbox/core";
import { createRouter } from "@signalbox/http-hono";
import { describe, expect, onTestFinished, test } from "vitest";
import { type MailServerOptions, startMailServer } from "../../packages/adapters/test/mail-server.ts";

/** An engine over HTTP and a real mail server. */
async function setUp(config: ConfigInput = {}, options: MailServerOptions = {}) {
  const server = await startMailServer(options);
  onTestFinished(() => server.close());
  const mailer = smtpMailer({ server: `smtp://127.0.0.1:${server.port}?tls=none` });
  onTestFinished(() => mailer.close());
  const blobs = memoryBlobStore();
  const engine = createSignalbox({
    ...{ storage: memoryStorage(), blobs, mailer, secretKey: "only for this test" },
    config: { base_app_url: "https://ops.example.com", debug: true, ...config },
  });
  const { administratorKey = "" } = await engine.start();
  onTestFinished(() => engine.stop());
  const app = createRouter(engine);
  const call = async (operation: string, body: object | FormData, key = administratorKey) => {
    const isForm = body instanceof FormData;
    const headers = { "x-api-key": key, ...(isForm ? {} : { "content-type": "application/json" }) };
    const init = { method: "POST", headers, body: isForm ? body : JSON.stringify(body) };
    const answer = await app.request(`/api/app/${operation}/v1`, init);
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
    return { status: answer.status, body: (await answer.json()) as any };
  };
  return { ...server, api: engine.api, engine, blobs, call };
}

/** Base64 without the padding, which looks like an escape in other parts of a mail. */
const base64 = (text: string): string => Buffer.from(text).toString("base64").replaceAll("=", "");
const letter = {
  to: "a@example.com, b@example.com",
  subject: "Hello\r\nBcc: evil@example.com",
  body: "**Hi** {{ config.name }}",
};

describe("a mail written by a user", () => {
  test("arrives with its title, its button and its own headers, and no macro in it is expanded", async () => {
    const at = await setUp();
    const { status, body } = await at.call("send_email", {
      ...letter,
      ...{ cc: "c@example.com", bcc: "d@example.com", title: "Big", button: "Open | https://example.com/x" },
      headers: { "X-Team": "night\r\nX-Evil: 1" },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ code: 0, description: "Email sent successfully to: a@example.com, b@example.com" });
    expect(body.details).toContain("- **To:** `a@example.com`, `b@example.com`");
    expect(body.details).not.toContain("Hi");
    const [mail] = at.taken;
    expect(mail?.recipients).toEqual(["a@example.com", "b@example.com", "c@example.com", "d@example.com"]);
    expect(mail?.headers.get("subject")).toBe("Hello Bcc: evil@example.com");
    expect(mail?.headers.get("x-team")).toBe("night X-Evil: 1");
    expect(mail?.headers.has("bcc")).toBe(false);
    expect(mail?.text).toContain("<strong>Hi</strong> {{ config.name }}");
    expect(mail?.text).toContain('href="https://example.com/x">Open</a>');
    expect(mail?.text).toMatch(/<h1[^>]*>Big<\/h1>/);
  });

  test("contains the files of its form, and shows the ones that its text names", async () => {
    const at = await setUp();
    const form = new FormData();
    form.append("json", JSON.stringify({ ...letter, body: "See ![the plot](cid:plot.png)" }));
    form.append("file1", new File(["not really a picture"], "plot.png"));
    form.append("file2", new File(["one\ntwo\n"], "größe.txt"));
    const { body } = await at.call("send_email", form);
    expect(body.code).toBe(0);
    expect(body.details).toContain("- **Attachments:** `plot.png`, `größe.txt`");
    const text = at.taken[0]?.text ?? "";
    expect(text).toContain('<img src="cid:file1@ops.example.com" alt="the plot"');
    expect(text).toMatch(/Content-ID: <file1@ops\.example\.com>/i);
    expect(text).toContain(base64("not really a picture"));
    expect(text).toContain(base64("one\ntwo\n"));
    expect(await at.blobs.list("tmp/", { limit: 10 })).toEqual([]);
  });

  test.each([
    [{ to: "Ann <a@example.com>" }, "Malformed parameter: to"],
    [{ to: "nonsense" }, "Malformed parameter: to"],
    [{ to: "," }, "Malformed parameter: to"],
    [{ cc: "x" }, "Malformed parameter: cc"],
    [{ headers: { From: "x@example.com" } }, "Malformed parameter: headers"],
    [{ body: " " }, "Malformed parameter: body"],
    [{ subject: undefined }, "Missing parameter: subject"],
  ])("is refused with %j", async (members, description) => {
    const at = await setUp();
    const { status, body } = await at.call("send_email", { ...letter, ...members });
    expect({ status, ...body }).toMatchObject({ status: 400, code: "api", description });
    expect(at.taken).toEqual([]);
  });

  test("is answered with the reason, without a credential, when the server refuses it", async () => {
    const at = await setUp({}, { onMailFrom: (_address, _session, done) => done(new Error("Go away")) });
    const { status, body } = await at.call("send_email", letter);
    expect(status).toBe(500);
    expect(body.code).toBe("email");
    expect(body.description).toMatch(/^Failed to send e-mail: a@example\.com, b@example\.com: .*Go away/);
    expect(body.details).toContain("**Message-ID:**");
  });

  test("counts towards the daily limit", async () => {
    const at = await setUp({ max_emails_per_day: 1 });
    await at.call("send_email", letter);
    const { body } = await at.call("send_email", letter);
    expect(body.description).toContain("Maximum email daily limit has been reached (1/day)");
    expect(at.taken).toHaveLength(1);
  });

  test("without a sender's address is skipped, which is a success", async () => {
    const at = await setUp({ email_from: "" });
    const { body } = await at.call("send_email", letter);
    expect(body).toMatchObject({ code: 0, description: "No email was sent: there is no sender's address." });
    expect(at.taken).toEqual([]);
  });

  test("needs the privilege", async () => {
    const at = await setUp();
    const { plain_key } = await at.api.createApiKey({ title: "Reader" });
    const { status, body } = await at.call("send_email", letter, plain_key);
    expect([status, body.code]).toEqual([403, "access"]);
  });
});

test("a test mail answers its result, also a failure", async () => {
  let isBusy = false;
  const onMailFrom: MailServerOptions["onMailFrom"] = (_address, _session, done) =>
    done(isBusy ? new Error("Not today") : null);
  const at = await setUp({}, { onMailFrom });
  const { body } = await at.call("admin_send_test_email", { to: "a@example.com" });
  expect(body).toMatchObject({ code: 0, err: false, description: "Email sent successfully to: a@example.com" });
  expect(at.taken[0]?.headers.get("subject")).toBe("Signalbox: Test");
  isBusy = true;
  const failed = await at.call("admin_send_test_email", { to: "a@example.com" });
  expect(failed.status).toBe(200);
  expect(failed.body).toMatchObject({ code: 0, err: true });
  expect(failed.body.description).toMatch(/^Failed to send e-mail: a@example\.com: .*Not today/);
});

test("an administrator's message to all users is emitted and recorded in the activity", async () => {
  const at = await setUp();
  const heard: unknown[] = [];
  at.engine.events.on("notice.broadcast", (notice) => heard.push(notice));
  const { body } = await at.call("admin_broadcast_message", {
    type: "warning",
    message: "Going down",
    sound: "bell.mp3",
  });
  expect(body).toEqual({ code: 0 });
  expect(heard).toMatchObject([{ type: "warning", message: "Going down", sound: "bell.mp3" }]);
  const { rows } = await at.api.searchActivity({ query: "action:warning" });
  expect(rows).toMatchObject([{ description: "Going down" }]);
  for (const wrong of [{ type: "loud", message: "x" }, { type: "info", message: " " }, { type: "info" }])
    expect((await at.call("admin_broadcast_message", wrong)).body.code).toBe("api");
});
