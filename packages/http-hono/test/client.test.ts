import { describe, expect, test } from "vitest";
import { createRouter } from "../src/index.ts";
import { read, start } from "./start.ts";

const path = "/api/app/reflect/v1";

/** Asks what an operation sees of a caller whose socket has the address. */
async function seen(address: string | undefined, headers: Record<string, string>, trusted?: string[]) {
  const { engine, key } = await start(trusted ? { config: { api: { trusted_proxies: trusted } } } : {});
  const app = createRouter(engine, { clientAddress: () => address });
  const { body } = await read(await app.request(path, { headers: { "x-api-key": key, ...headers } }));
  return body.client as { ips: string[]; ip: string; baseUrl: string };
}

describe("addresses", () => {
  test.each([
    ["8.8.8.8", {}, ["8.8.8.8"], "8.8.8.8"],
    ["::ffff:8.8.8.8", {}, ["8.8.8.8"], "8.8.8.8"],
    [undefined, { "x-real-ip": "1.1.1.1" }, [], ""],
    ["8.8.8.8", { "x-forwarded-for": "1.1.1.1" }, ["8.8.8.8"], "8.8.8.8"],
    ["127.0.0.1", { "x-forwarded-for": "1.1.1.1, 10.0.0.5" }, ["1.1.1.1", "10.0.0.5", "127.0.0.1"], "1.1.1.1"],
    ["10.1.2.3", { "x-forwarded-for": "192.168.0.9, 9.9.9.9" }, ["192.168.0.9", "9.9.9.9", "10.1.2.3"], "9.9.9.9"],
    ["::1", { "x-forwarded-for": "10.0.0.5" }, ["10.0.0.5", "::1"], "10.0.0.5"],
    [
      "fd00::1",
      { forwarded: 'for="[2001:db8::7]:443";proto=https, for=1.1.1.1' },
      ["2001:db8::7", "1.1.1.1", "fd00::1"],
      "2001:db8::7",
    ],
    [
      "127.0.0.1",
      { "x-real-ip": "1.1.1.1:80", "x-client-ip": "2.2.2.2" },
      ["2.2.2.2", "1.1.1.1", "127.0.0.1"],
      "2.2.2.2",
    ],
    ["127.0.0.1", { "x-real-ip": "<script>", "true-client-ip": "999.1.1.1" }, ["127.0.0.1"], "127.0.0.1"],
  ] as [string | undefined, Record<string, string>, string[], string][])(
    "socket %s with %j gives %j, first of all %s",
    async (address, headers, ips, ip) => expect(await seen(address, headers)).toMatchObject({ ips, ip }),
  );

  test("proxies can be named by address and range", async () => {
    const headers = { "x-real-ip": "1.1.1.1" };
    expect((await seen("8.8.8.8", headers, ["8.8.0.0/16"])).ip).toBe("1.1.1.1");
    expect((await seen("8.8.8.8", headers, ["8.8.8.8"])).ip).toBe("1.1.1.1");
    expect((await seen("2001:db8::1", headers, ["2001:db8::/32"])).ip).toBe("1.1.1.1");
    expect((await seen("127.0.0.1", headers, ["8.8.0.0/16"])).ip).toBe("127.0.0.1");
  });

  test.each(["localhost", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/x", ""])(
    "%j as a proxy is refused when the router is made",
    (entry) => expect(start({ config: { api: { trusted_proxies: [entry] } } })).rejects.toThrow(/trusted_proxies/),
  );

  test("a chain of forged addresses is cut", async () => {
    const chain = Array.from({ length: 500 }, (_, index) => `1.2.${index >> 8}.${index & 255}`).join(",");
    expect((await seen("127.0.0.1", { "x-forwarded-for": chain })).ips.length).toBeLessThanOrEqual(33);
  });

  test.each([
    ["x-forwarded-proto", "https"],
    ["front-end-https", "on"],
    ["x-url-scheme", "HTTPS"],
    ["x-forwarded-protocol", "https"],
    ["x-forwarded-ssl", "on"],
  ])("%s: %s of a trusted proxy makes links secure", async (name, value) => {
    expect((await seen("127.0.0.1", { [name]: value })).baseUrl).toBe("https://localhost");
    expect((await seen("8.8.8.8", { [name]: value })).baseUrl).toBe("http://localhost");
  });
});

test("an operation sees method and user agent", async () => {
  const { get, key } = await start();
  const { body } = await get(path, { "x-api-key": key, "user-agent": "probe/1" });
  expect(body.client).toMatchObject({ method: "GET", userAgent: "probe/1", headers: { "user-agent": "probe/1" } });
});
