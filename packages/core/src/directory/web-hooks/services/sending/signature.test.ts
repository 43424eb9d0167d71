import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { setUpHook } from "../../../../../test/directory/hook-setup.ts";
import type { WebHookRequest } from "../../../../ports/outside/web-hook-client.ts";
import { createSign } from "./signature.ts";

const request: WebHookRequest = {
  method: "POST",
  url: "https://example.com/",
  headers: { "X-A": "1", "Webhook-Signature": "v1,forged" },
  body: '{"test": 2432232314}',
  timeoutMs: 1000,
  followRedirects: false,
  skipCertificateCheck: false,
};

describe("a signature", () => {
  test("equals the published example of the scheme", () => {
    const sign = createSign("msg_p5jXN8AQM9LWM0D4loKWxJek", "KEY", { KEY: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" });
    expect(sign(request, 1614265330.9).headers).toEqual({
      "X-A": "1",
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  test.each([
    [{}, "Signing secret not found: KEY"],
    [{ KEY: "MfKQ9r8GKYqrTwjU" }, "Signing secret is not of the form whsec_<Base64>: KEY"],
    [{ KEY: "whsec_" }, "Signing secret is not of the form whsec_<Base64>: KEY"],
    [{ KEY: "whsec_not base64" }, "Signing secret is not of the form whsec_<Base64>: KEY"],
  ])("without a usable secret in %j is absent", (secrets, message) => {
    expect(() => createSign("m", "KEY", secrets)).toThrow(new Error(message));
  });
});

describe("a hook that signs", () => {
  const key = Buffer.from("0123456789abcdef0123456789abcdef");
  const fields = [{ name: "SIGNING", value: `whsec_${key.toString("base64")}` }];

  test("signs each attempt with its own time under one id", async () => {
    await using at = await setUpHook({
      hook: { sign_with: "SIGNING", body: "grüße", retries: 1 },
      steps: [{ status: 503 }, {}],
    });
    await at.engine.api.createSecret({ id: "z1", title: "Z", fields, web_hooks: ["ops"] });
    const done = at.sender.fire("ops", {}, { idempotencyKey: "j1/0" });
    while (at.client.sent.length < 2) await at.engine.clock.advance(1);
    expect(await done).toMatchObject({ code: 0 });
    const stamps = at.client.sent.map(({ headers, body }) => {
      const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signature } = headers;
      expect(id).toBe("j1/0");
      expect(signature).toBe(`v1,${createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64")}`);
      return Number(time);
    });
    expect(stamps[1]).toBeGreaterThan(stamps[0] ?? 0);
  });

  test("shows no one the signature", async () => {
    await using at = await setUpHook({ hook: { sign_with: "SIGNING" } });
    await at.engine.api.createSecret({ id: "z1", title: "Z", fields, web_hooks: ["ops"] });
    const { details = "" } = await at.sender.fire("ops", {});
    expect(at.client.sent[0]?.headers["webhook-signature"]).toMatch(/^v1,/);
    expect(details).not.toMatch(/v1,|webhook-signature/);
  });

  test("sends nothing when its secret is missing", async () => {
    await using at = await setUpHook({ hook: { sign_with: "SIGNING" } });
    expect(await at.sender.fire("ops", {})).toEqual({
      code: "webhook",
      description: "Error: Signing secret not found: SIGNING",
    });
    expect(at.client.sent).toEqual([]);
  });

  test.each(["1A", "A-B", "whsec_MfKQ9r8G KYq"])("refuses %j as the name of its variable", async (name) => {
    await using at = await setUpHook();
    await expect(at.engine.api.updateWebHook({ id: "ops", sign_with: name })).rejects.toThrow(
      "Malformed parameter: sign_with",
    );
  });
});
