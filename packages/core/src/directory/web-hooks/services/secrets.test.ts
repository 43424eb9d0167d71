import { describe, expect, test } from "vitest";
import { type HookSetup, setUpHook } from "../../../../test/directory/hook-setup.ts";

const TOKEN = "s3cr3t token/42";

async function setUp(setup: HookSetup, fields = [{ name: "TOKEN", value: TOKEN }]) {
  const at = await setUpHook(setup);
  await at.engine.api.createSecret({ id: "z1", title: "Z", fields, web_hooks: ["ops"] });
  return at;
}

const everywhere = {
  url: "https://example.com/{{encode(secrets.TOKEN)}}?e={{event.title}}",
  headers: [
    { name: "Authorization", value: "Bearer {{secrets.TOKEN}}" },
    { name: "X-Event", value: "{{event.title}}" },
  ],
  body: "{{secrets.TOKEN}} {{secrets.TOKEN[0]}} {{text}}",
};

describe("a hook that carries secrets", () => {
  test("sends them in url, headers and body, in one pass", async () => {
    await using at = await setUp({ hook: everywhere });
    await at.sender.fire("ops", { event: { title: "Nightly" }, text: "{{secrets.TOKEN}}" });
    expect(at.client.sent[0]).toMatchObject({
      url: "https://example.com/s3cr3t%20token%2F42?e=Nightly",
      headers: { Authorization: `Bearer ${TOKEN}`, "X-Event": "Nightly" },
      body: `${TOKEN} s {{secrets.TOKEN}}`,
    });
  });

  test("shows none of them in its report, and all other texts stay", async () => {
    await using at = await setUp({
      hook: everywhere,
      steps: [
        {
          status: 400,
          statusText: `Bad ${TOKEN}`,
          headers: { "x-echo": TOKEN, "x-path": encodeURIComponent(TOKEN) },
          body: `You sent ${TOKEN}, or ${JSON.stringify({ token: TOKEN })}`,
        },
      ],
    });
    const outcome = await at.sender.fire("ops", { event: { title: "Nightly" }, text: "hello" });
    expect(outcome.description).toBe("Error: HTTP 400 Bad (REDACTED): https://example.com/(REDACTED)?e=Nightly");
    for (const line of [
      "https://example.com/(REDACTED)?e=Nightly",
      "Authorization: Bearer (REDACTED)",
      "X-Event: Nightly",
      "(REDACTED) (REDACTED) hello",
      "x-echo: (REDACTED)",
      "x-path: (REDACTED)",
      'You sent (REDACTED), or {"token":"(REDACTED)"}',
    ])
      expect(outcome.details).toContain(line);
    expect(JSON.stringify([outcome, at.log.lines])).not.toMatch(/s3cr3t|token\/42|token%2F42/);
  });

  test("tells the client which parts to drop on a redirect to another origin", async () => {
    await using at = await setUp({ hook: everywhere });
    await at.sender.fire("ops", {});
    expect(at.client.sent[0]?.originBound).toMatchObject({ body: true });
    expect(at.client.sent[0]?.originBound?.headers).toContain("Authorization");
    expect(at.client.sent[0]?.originBound?.headers).not.toContain("X-Event");
  });

  test("names neither address nor host in an error when they come from a secret", async () => {
    const url = "https://Hooks.Internal.Example/services/T0/B0";
    await using at = await setUp(
      {
        hook: { url: "{{secrets.URL}}" },
        steps: [
          new Error("Request to hooks.internal.example failed: ECONNREFUSED"),
          { status: 404, statusText: "Not Found", body: "Cannot POST /services/T0/B0" },
        ],
      },
      [{ name: "URL", value: url }],
    );
    const first = await at.sender.fire("ops", {});
    expect(first.description).toBe("Error: Request to (REDACTED) failed: ECONNREFUSED");
    const second = await at.sender.fire("ops", {});
    expect(second.description).toBe("Error: HTTP 404 Not Found: (REDACTED)");
    expect(at.client.sent[0]?.url).toBe("https://hooks.internal.example/services/T0/B0");
    expect(JSON.stringify([first, second, at.log.lines])).not.toMatch(/internal\.example|services\/T0/i);
  });

  test("prints no value when a macro throws", async () => {
    await using at = await setUp({ hook: { body: "{{ secrets.TOKEN.x.y }}" } });
    const outcome = await at.sender.fire("ops", {});
    expect(JSON.stringify(outcome)).not.toContain("s3cr3t");
  });

  test("has neither disabled secrets nor secrets of other hooks", async () => {
    await using at = await setUpHook({ hook: { body: "{{secrets.A}} {{secrets.B}} {{secrets.C}}" } });
    const secret = (id: string, members: object) =>
      at.engine.api.createSecret({
        id,
        title: id,
        fields: [{ name: id.toUpperCase(), value: `value-${id}` }],
        ...members,
      });
    await secret("a", { web_hooks: ["ops"] });
    await secret("b", { web_hooks: ["ops"], enabled: false });
    await secret("c", { web_hooks: ["other"] });
    await at.sender.fire("ops", {});
    expect(at.client.sent[0]?.body).toBe("value-a N/A N/A");
  });

  test("uses the later of two secrets with one name", async () => {
    await using at = await setUp({ hook: { body: "{{secrets.TOKEN}}" } });
    const fields = [{ name: "TOKEN", value: "later" }];
    await at.engine.api.createSecret({ id: "z2", title: "Z", fields, web_hooks: ["ops"] });
    await at.sender.fire("ops", {});
    expect(at.client.sent[0]?.body).toBe("later");
  });

  test("accepts no secrets from data", async () => {
    await using at = await setUpHook({ hook: { body: "{{secrets.TOKEN}}" } });
    await at.sender.fire("ops", { secrets: { TOKEN: "forged" } });
    expect(at.client.sent[0]?.body).toBe("N/A");
  });
});

describe("the allowed targets", () => {
  test("are set by the configuration", async () => {
    await using at = await setUpHook({
      config: {
        web_hooks: { allow: ["10.0.0.0/8", "hooks.internal"], allow_link_local: true },
        airgap: { enabled: true, blacklist: ["10.9.0.0/16"] },
      },
    });
    await at.sender.fire("ops", {});
    await at.sender.fire("ops", {});
    expect(at.client.sent[0]?.targets).toEqual({
      allow: ["10.0.0.0/8", "hooks.internal", "link-local", "metadata"],
      airGap: {
        whitelist: expect.arrayContaining(["127.0.0.0/8", "10.0.0.0/8", "fe80::/10"]),
        blacklist: ["10.9.0.0/16"],
      },
    });
    // The targets are the same object, so that a client parses them once.
    expect(at.client.sent[1]?.targets).toBe(at.client.sent[0]?.targets);
    await at.engine.api.adminUpdateConfig({ "airgap.whitelist": ["10.1.0.0/16"] } as never);
    await at.sender.fire("ops", {});
    expect(at.client.sent[2]?.targets).toMatchObject({ airGap: { whitelist: ["10.1.0.0/16"] } });
  });

  test("are not retried if they are refused", async () => {
    await using at = await setUpHook({
      hook: { retries: 5 },
      steps: [new TypeError("Address is not allowed: 10.0.0.1 (example.com: private)")],
    });
    expect((await at.sender.fire("ops", {})).description).toBe(
      "Error: Address is not allowed: 10.0.0.1 (example.com: private)",
    );
    expect(at.client.sent).toHaveLength(1);
  });
});
