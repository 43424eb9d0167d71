import type { HostUser } from "@signalbox/core";
import type { Actor } from "@signalbox/core/plugin";
import { describe, expect, test } from "vitest";
import { type TrustedHeaderOptions, trustedHeaderUser } from "../src/index.ts";
import { start } from "./start.ts";

const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });
const request = (headers: Record<string, string>, method = "GET") =>
  new Request("http://ops.example/api/app/ping", { method, headers });

function resolve(
  options: TrustedHeaderOptions,
  headers: Record<string, string>,
  { method = "GET", address = "127.0.0.1" } = {},
): HostUser | undefined {
  return trustedHeaderUser(options)(request(headers, method), from(address)) as HostUser | undefined;
}

const ann = { "x-remote-user": "ann" };
const system: Actor = {
  kind: "system",
  id: "system",
  title: "",
  privileges: { admin: true },
  categories: [],
  groups: [],
};

describe("the trusted header", () => {
  test("names the user, with the rights that the options give", () => {
    const options = { roles: ["ops"], privileges: ["run_jobs"], categories: ["c1"], groups: ["g1"] };
    expect(resolve(options, ann)).toEqual({ id: "ann", ...options });
  });

  test("may come with a name and with roles", () => {
    const options = { header: "x-user", nameHeader: "x-name", rolesHeader: "x-roles", roles: ["all"] };
    const headers = { "x-user": " ann ", "x-name": "Ann Lee", "x-roles": "ops, dev,," };
    expect(resolve(options, headers)).toMatchObject({ id: "ann", name: "Ann Lee", roles: ["all", "ops", "dev"] });
  });

  test.each(["127.0.0.1", "::1", "::ffff:127.0.0.1"])("is trusted from %s by default", (address) => {
    expect(resolve({}, ann, { address })?.id).toBe("ann");
  });

  test.each(["10.0.0.1", "203.0.113.9", "::ffff:10.0.0.1", "", "nonsense"])("is not trusted from %j", (address) => {
    expect(resolve({}, ann, { address })).toBeUndefined();
  });

  test("is not trusted when the socket is unknown", () => {
    expect(trustedHeaderUser()(request(ann), undefined)).toBeUndefined();
  });

  test("is not trusted because of a forwarded address", () => {
    const headers = { ...ann, "x-forwarded-for": "127.0.0.1" };
    expect(resolve({}, headers, { address: "203.0.113.9" })).toBeUndefined();
  });

  test("is trusted from exactly the configured sockets", () => {
    const options = { trustedProxies: ["10.1.0.0/16"] };
    expect(resolve(options, ann, { address: "10.1.2.3" })?.id).toBe("ann");
    expect(resolve(options, ann, { address: "10.2.2.3" })).toBeUndefined();
    expect(resolve(options, ann)).toBeUndefined();
  });

  test("an empty header names no one", () => {
    expect(resolve({}, { "x-remote-user": " " })).toBeUndefined();
  });

  test("needs well-formed proxies", () => {
    expect(() => trustedHeaderUser({ trustedProxies: ["proxy.example"] })).toThrow(
      'trustedProxies: "proxy.example" is no address and no CIDR range',
    );
  });
});

describe("a write with a trusted header", () => {
  test.each<[Record<string, string>, boolean]>([
    [{}, true],
    [{ "sec-fetch-site": "same-origin" }, true],
    [{ "sec-fetch-site": "none" }, true],
    [{ "sec-fetch-site": "cross-site" }, false],
    [{ "sec-fetch-site": "same-site" }, false],
    [{ origin: "https://ops.example", host: "ops.example" }, true],
    [{ origin: "https://evil.example", host: "ops.example" }, false],
    [{ origin: "null", host: "ops.example" }, false],
  ])("and %j is signed in: %s", (headers, known) => {
    expect(resolve({}, { ...ann, ...headers }, { method: "POST" }) !== undefined).toBe(known);
  });
});

describe("behind a router", () => {
  const clientAddress = () => "127.0.0.1";

  test("the user acts under that name and role", async () => {
    const resolveUser = trustedHeaderUser({ clientAddress, rolesHeader: "x-roles" });
    const { post, engine } = await start({ resolveUser });
    await engine.execute({
      operation: "create_role",
      input: { id: "taggers", title: "Taggers", privileges: { create_tags: true }, categories: [], groups: [] },
      actor: system,
    });
    const make = (headers: Record<string, string>) => post("/api/app/create_tag/v1", { title: "T" }, headers);
    expect((await make({ ...ann, "x-roles": "taggers" })).body.tag.username).toBe("ann");
    expect((await make(ann)).body.code).toBe("access");
    expect((await make({})).body.code).toBe("session");
  });

  test.each<[Record<string, string>, string | number]>([
    [{}, "server"],
    [{ "sec-fetch-site": "none" }, "server"],
    [{ "sec-fetch-site": "cross-site" }, "session"],
    [{ "sec-fetch-site": "same-site" }, "session"],
    [{ origin: "https://evil.example" }, "session"],
    [{ cookie: "proxy=1" }, "session"],
  ])("a GET that changes something, with %j, is answered %j", async (headers, code) => {
    const { get } = await start({ resolveUser: trustedHeaderUser({ clientAddress, privileges: ["admin"] }) });
    const answer = await get("/api/app/watch_server/v1?id=none&duration=60", { ...ann, ...headers });
    expect(answer.body.code).toBe(code);
    expect((await get("/api/app/get_tags/v1", { ...ann, ...headers })).body.code).toBe(0);
  });

  test("a public link works for a user of the host as well, from any page", async () => {
    const { engine, get } = await start({ resolveUser: trustedHeaderUser({ clientAddress }) });
    const triggers = [{ type: "magic", enabled: true, key: "open-sesame" }];
    const place = { category: "general", plugin: "shellplug", targets: ["main"], algo: "random" };
    const input = { id: "linked", title: "Linked", enabled: true, ...place, params: { script: "true" }, triggers };
    await engine.execute({ operation: "create_event", input, actor: system });
    for (const headers of [{ cookie: "host=1" }, { "sec-fetch-site": "cross-site" }]) {
      const { body } = await get("/api/app/magic/v1/open-sesame", { ...ann, ...headers });
      expect(body).toMatchObject({ code: 0, id: expect.any(String) });
    }
  });

  test("an id that could not be logged is refused", async () => {
    const { get } = await start({ resolveUser: trustedHeaderUser({ clientAddress }) });
    expect(await get("/api/app/get_tags/v1", { "x-remote-user": "ann, bob" })).toMatchObject({
      status: 400,
      body: { code: "api", description: "Malformed host user id" },
    });
  });

  test.each([
    [null, 403, "session"],
    [true, 400, "api"],
    ["ann", 400, "api"],
  ])("a host that answers %j gets %i", async (found, status, code) => {
    const { get } = await start({ resolveUser: () => found as never });
    expect(await get("/api/app/get_tags/v1", {})).toMatchObject({ status, body: { code } });
  });
});
