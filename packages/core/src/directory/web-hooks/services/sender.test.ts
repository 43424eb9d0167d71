import { describe, expect, test } from "vitest";
import { setUpHook } from "../../../../test/directory/hook-setup.ts";
import { VERSION } from "../../../lib/process/version.ts";

describe("the request", () => {
  test("expands url, headers and body once", async () => {
    await using at = await setUpHook({
      hook: {
        url: "https://example.com/{{encode(job.id)}}?q=a b",
        headers: [{ name: "X-Event", value: "{{event.title}}" }],
        body: "{{text}} {{event}} {{missing.thing}}",
      },
    });
    const data = { text: "{{job.id}}", job: { id: "a/b" }, event: { title: "Nightly" } };
    expect(await at.sender.fire("ops", data)).toMatchObject({ code: 0, description: "Success (HTTP 200 OK)" });
    expect(at.client.sent[0]).toMatchObject({
      method: "POST",
      url: "https://example.com/a%2Fb?q=a%20b",
      headers: { "X-Event": "Nightly" },
      body: '{{job.id}} {"title":"Nightly"} N/A',
    });
  });

  test("default headers name the product, and the hook's own replace them in any case", async () => {
    await using at = await setUpHook({ hook: { headers: [{ name: "user-agent", value: "mine" }] } });
    await at.engine.api.createWebHook({ id: "plain", title: "P", url: "https://example.com", method: "GET" });
    await at.sender.fire("plain", {}, { idempotencyKey: "j1/0" });
    await at.sender.fire("ops", {});
    expect(at.client.sent[0]?.headers).toEqual({
      "User-Agent": `Signalbox/${VERSION}`,
      "Accept-Encoding": "gzip, deflate, br",
      "X-Idempotency-Key": "j1/0",
    });
    expect(at.client.sent[1]?.headers).toEqual({ "user-agent": "mine", "Accept-Encoding": "gzip, deflate, br" });
  });

  test("the settings of the hook reach the client, before the configuration's", async () => {
    await using at = await setUpHook({
      hook: { timeout: 7, follow: true, ssl_cert_bypass: 1 },
      config: { web_hook_custom_opts: { timeout: 99, headers: { "X-All": "1" } } },
    });
    await at.sender.fire("ops", {});
    expect(at.client.sent[0]).toMatchObject({
      timeoutMs: 7000,
      followRedirects: true,
      skipCertificateCheck: true,
      headers: { "X-All": "1" },
    });
  });

  test.each(["GET", "head"])("%s sends no body", async (method) => {
    await using at = await setUpHook({ hook: { method, body: "x" } });
    await at.sender.fire("ops", {});
    expect(at.client.sent[0]).not.toHaveProperty("body");
  });

  test("a blank body is not sent", async () => {
    await using at = await setUpHook({ hook: { body: " \n {{empty}}" } });
    await at.sender.fire("ops", { empty: "" });
    expect(at.client.sent[0]).not.toHaveProperty("body");
  });

  test("texts inside a JSON body are escaped and records stay JSON", async () => {
    await using at = await setUpHook({
      hook: {
        headers: [{ name: "content-type", value: "application/json; charset=utf-8" }],
        body: '{"text":"{{text}}","job":{{job}}}',
      },
    });
    await at.sender.fire("ops", { text: 'say "hi"\n', job: { id: "j1" } });
    expect(JSON.parse(at.client.sent[0]?.body ?? "")).toEqual({ text: 'say "hi"\n', job: { id: "j1" } });
  });

  test("the fallback of the data replaces N/A", async () => {
    await using at = await setUpHook({ hook: { body: "{{nothing}}" } });
    await at.sender.fire("ops", { _fallback: "sample" });
    expect(at.client.sent[0]?.body).toBe("sample");
  });

  test("a value cannot add header lines", async () => {
    await using at = await setUpHook({ hook: { headers: [{ name: "X-Text", value: "{{text}}" }] } });
    await at.sender.fire("ops", { text: "a\r\nX-Evil: 1" });
    expect(at.client.sent[0]?.headers["X-Text"]).toBe("aX-Evil: 1");
  });

  test("a header that cannot be sent is named", async () => {
    await using at = await setUpHook({ hook: { headers: [{ name: "X-Text", value: "{{text}}" }] } });
    expect(await at.sender.fire("ops", { text: "Grüße 🚂" })).toEqual({
      code: "webhook",
      description: "Error: Invalid characters in header value: X-Text",
    });
    expect(at.client.sent).toEqual([]);
  });

  test("a changed hook is compiled again", async () => {
    await using at = await setUpHook({ hook: { body: "old {{n}}" } });
    await at.sender.fire("ops", { n: 1 });
    await at.engine.api.updateWebHook({ id: "ops", body: "new {{n}}" });
    await at.sender.fire("ops", { n: 2 });
    expect(at.client.sent.map(({ body }) => body)).toEqual(["old 1", "new 2"]);
  });
});

describe("the target", () => {
  const refusedHost = "Error: The host of the URL may not come from a macro, except from a secret";
  const refusedScheme = "Error: The URL must begin with http:// or https://";

  test.each<[string, object, string]>([
    ["https://{{host}}/x", { host: "evil.example" }, refusedHost],
    ["https://good.example{{tail}}/x", { tail: ".evil.example" }, refusedHost],
    ["https://good.example{{tail}}", { tail: "/path" }, refusedHost],
    ["https://good.example{{tail}}", { tail: "x" }, refusedHost],
    ["https://good.example{{tail}}", { tail: "@evil.example" }, refusedHost],
    ["https://{{user}}@good.example/", { user: "evil.example/" }, refusedHost],
    ["https://good.example:{{port}}/", { port: 8080 }, refusedHost],
    ["{{url}}", { url: "https://evil.example" }, refusedHost],
    ["{{secrets.URL || url}}", { url: "https://evil.example" }, refusedHost],
    ["{{url}}", { url: "file:///etc/passwd" }, refusedScheme],
    ["{{missing}}", {}, refusedScheme],
    ["{{secrets.URL}}", {}, refusedScheme],
    ["{{url}}", { secrets: { URL: "x" }, url: "javascript:1" }, refusedScheme],
  ])("%s with %j is refused", async (url, data, description) => {
    await using at = await setUpHook({ hook: { url } });
    expect(await at.sender.fire("ops", { ...data })).toEqual({ code: "webhook", description });
    expect(at.client.sent).toEqual([]);
  });

  test.each<[string, object, string]>([
    ["https://good.example/{{path}}", { path: "../x y" }, "https://good.example/x%20y"],
    ["https://good.example?q={{encode(q)}}", { q: "a&b" }, "https://good.example/?q=a%26b"],
    ["https://good.example/{{path}}", { path: "//evil.example/" }, "https://good.example///evil.example/"],
    ["HTTPS://GOOD.example/#{{a}}", { a: 1 }, "https://good.example/#1"],
  ])("%s with %j goes to %s", async (url, data, expected) => {
    await using at = await setUpHook({ hook: { url } });
    expect(await at.sender.fire("ops", { ...data })).toMatchObject({ code: 0 });
    expect(at.client.sent[0]?.url).toBe(expected);
  });

  test("web_hook_dynamic_host lets a macro name the host", async () => {
    await using at = await setUpHook({ hook: { url: "https://{{host}}/" }, config: { web_hook_dynamic_host: true } });
    expect(await at.sender.fire("ops", { host: "other.example" })).toMatchObject({ code: 0 });
    expect(at.client.sent[0]?.url).toBe("https://other.example/");
  });
});
