import { describe, expect, test } from "vitest";
import { createRouter } from "../src/index.ts";
import { read, start } from "./start.ts";

const path = "/api/app/reflect/v1";

/** The caller as an operation sees it, given the address of its socket. */
async function seen(address: string | undefined, headers: Record<string, string>, trusted?: string[]) {
  const { engine, key } = await start(trusted ? { config: { api: { trusted_proxies: trusted } } } : {});
  const app = createRouter(engine, { clientAddress: () => address });
  const { body } = await read(await app.request(path, { headers: { "x-api-key": key, ...headers } }));
  return body.client as { ips: string[]; ip: string; baseUrl: string };
}

describe("addresses of callers", () => {
  test.each([
    ["8.8.8.8", {}, ["8.8.8.8"], "8.8.8.8"],
    ["::ffff:8.8.8.8", {}, ["8.8.8.8"], "8.8.8.8"],
    [undefined, { "x-real-ip": "1.1.1.1" }, [], ""],
    ["8.8.8.8", { "x-forwarded-for": "1.1.1.1" }, ["8.8.8.8"], "8.8.8.8"],
    ["10.1.2.3", { "x-forwarded-for": "1.1.1.1" }, ["10.1.2.3"], "10.1.2.3"],
    ["fd00::1", { "x-forwarded-for": "1.1.1.1" }, ["fd00::1"], "fd00::1"],
    ["127.0.0.1", { "x-forwarded-for": "1.1.1.1, 10.0.0.5" }, ["1.1.1.1", "10.0.0.5", "127.0.0.1"], "10.0.0.5"],
    ["127.0.0.1", { "x-forwarded-for": "1.1.1.1, 9.9.9.9" }, ["1.1.1.1", "9.9.9.9", "127.0.0.1"], "9.9.9.9"],
    ["127.0.0.1", { "x-forwarded-for": "9.9.9.9, 127.0.0.2" }, ["9.9.9.9", "127.0.0.2", "127.0.0.1"], "9.9.9.9"],
    ["::1", { "x-forwarded-for": "10.0.0.5" }, ["10.0.0.5", "::1"], "10.0.0.5"],
    ["::ffff:127.0.0.1", { "x-forwarded-for": "9.9.9.9" }, ["9.9.9.9", "127.0.0.1"], "9.9.9.9"],
    ["127.0.0.1", { "x-forwarded-for": "1.1.1.1, unknown" }, ["1.1.1.1", "127.0.0.1"], "127.0.0.1"],
    ["127.0.0.1", { "x-forwarded-for": "127.0.0.3, 127.0.0.2" }, ["127.0.0.3", "127.0.0.2", "127.0.0.1"], "127.0.0.3"],
    [
      "::1",
      { forwarded: 'for=1.1.1.1, for="[2001:db8::7]:443";proto=https' },
      ["1.1.1.1", "2001:db8::7", "::1"],
      "2001:db8::7",
    ],
    ["127.0.0.1", { "x-real-ip": "1.1.1.1:80" }, ["1.1.1.1", "127.0.0.1"], "1.1.1.1"],
    ["127.0.0.1", { "x-real-ip": "<script>", "true-client-ip": "999.1.1.1" }, ["127.0.0.1"], "127.0.0.1"],
  ] as [string | undefined, Record<string, string>, string[], string][])(
    "of socket %s with %j are %j, and %s counts",
    async (address, headers, ips, ip) => expect(await seen(address, headers)).toMatchObject({ ips, ip }),
  );

  test.each([
    ["x-client-ip", "2.2.2.2"],
    ["cf-connecting-ip", "2.2.2.2"],
    ["x-real-ip", "2.2.2.2"],
    ["forwarded", "for=2.2.2.2"],
  ])("%s of the caller does not replace what a proxy added to its chain", async (name, forged) => {
    const { ip } = await seen("127.0.0.1", { "x-forwarded-for": "3.3.3.3, 9.9.9.9", [name]: forged });
    expect(ip).toBe("9.9.9.9");
  });

  test("different headers of one address are ignored, because the caller may have sent one", async () => {
    const { ip } = await seen("127.0.0.1", { "x-real-ip": "9.9.9.9", "x-client-ip": "2.2.2.2" });
    expect(ip).toBe("127.0.0.1");
    const same = { "x-real-ip": "9.9.9.9", "cf-connecting-ip": "9.9.9.9" };
    expect((await seen("127.0.0.1", same)).ip).toBe("9.9.9.9");
  });

  test("a header that is not configured is ignored", async () => {
    const { engine, key } = await start({ config: { api: { address_headers: ["x-real-ip"] } } });
    const app = createRouter(engine, { clientAddress: () => "127.0.0.1" });
    const headers = {
      "x-api-key": key,
      "x-forwarded-for": "2.2.2.2",
      "x-client-ip": "3.3.3.3",
      "x-real-ip": "9.9.9.9",
    };
    const { body } = await read(await app.request(path, { headers }));
    expect(body.client).toMatchObject({ ip: "9.9.9.9", ips: ["9.9.9.9", "127.0.0.1"] });
  });

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

  test("a chain of forged addresses is cut, and its end counts", async () => {
    const chain = Array.from({ length: 500 }, (_, index) => `1.2.${index >> 8}.${index & 255}`).join(",");
    const { ips, ip } = await seen("127.0.0.1", { "x-forwarded-for": `${chain}, 9.9.9.9` });
    expect([ips.length <= 34, ip, ips.includes(ip)]).toEqual([true, "9.9.9.9", true]);
  });

  test("private networks can be named as well", async () => {
    const headers = { "x-forwarded-for": "1.1.1.1, 192.168.0.9" };
    expect((await seen("10.1.2.3", headers, ["loopback", "private"])).ip).toBe("1.1.1.1");
  });

  test.each([
    ["x-forwarded-proto", "https"],
    ["x-forwarded-proto", "https, http"],
    ["front-end-https", "on"],
    ["x-url-scheme", "HTTPS"],
    ["x-forwarded-protocol", "https"],
    ["x-forwarded-ssl", "on"],
  ])("%s: %s of a trusted proxy makes links secure", async (name, value) => {
    expect((await seen("127.0.0.1", { [name]: value })).baseUrl).toBe("https://localhost");
    expect((await seen("8.8.8.8", { [name]: value })).baseUrl).toBe("http://localhost");
  });

  test("a caller who reached the first of two proxies by HTTP has no secure links", async () => {
    expect((await seen("127.0.0.1", { "x-forwarded-proto": "http, https" })).baseUrl).toBe("http://localhost");
  });
});

test("an operation sees method and user agent", async () => {
  const { get, key } = await start();
  const { body } = await get(path, { "x-api-key": key, "user-agent": "probe/1" });
  expect(body.client).toMatchObject({ method: "GET", userAgent: "probe/1", headers: { "user-agent": "probe/1" } });
});
