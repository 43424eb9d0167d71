import { createSignalbox } from "@signalbox/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { quickPasswords } from "../../core/test/engine.ts";
import { createRouter } from "../src/index.ts";
import { openStorage, STORAGES } from "./open-storage.ts";
import { type Answer, read } from "./start.ts";

async function open(name: string) {
  const storage = await openStorage(name);
  const engine = createSignalbox({
    ...{ storage, secretKey: "a secret key for tests", administratorPassword: "p", plugins: [quickPasswords] },
  });
  const { administratorKey = "" } = await engine.start();
  onTestFinished(() => engine.stop());
  const app = createRouter(engine);
  const headers = { "x-api-key": administratorKey, "content-type": "application/json" };
  const send = async (path: string, init: RequestInit): Promise<Answer> => read(await app.request(path, init));
  return {
    send,
    ask: (key: string) => send("/api/app/get_tags/v1", { headers: { "x-api-key": key } }),
    get: (path: string) => send(`/api/app/${path}`, { headers }),
    post: (name: string, body: object) =>
      send(`/api/${name.includes("/") ? name : `app/${name}`}/v1`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      }),
  };
}

describe.each(STORAGES)("records over %s", (name) => {
  test("a tag lives from create to delete", async () => {
    const { get, post } = await open(name);
    const made = await post("create_tag", { id: "red", title: "Red \u0000 \ud800", custom: { kept: [1, null] } });
    expect(made).toMatchObject({
      status: 200,
      body: { code: 0, tag: { id: "red", revision: 1, custom: { kept: [1, null] } } },
    });
    expect((await post("update_tag", { id: "red", title: "Redder" })).text).toBe('{"code":0}\n');
    expect((await get("get_tag/v1?id=red")).body.tag).toMatchObject({ title: "Redder", revision: 2 });
    expect((await post("delete_tag", { id: "red" })).status).toBe(200);
    expect((await get("get_tag/v1?id=red")).status).toBe(404);
  });

  test("concurrent creations with one id make one record", async () => {
    const { get, post } = await open(name);
    const { length } = (await get("get_tags")).body.list;
    const answers = await Promise.all(Array.from({ length: 8 }, () => post("create_tag", { id: "one", title: "One" })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
    expect((await get("get_tags")).body.list.length).toBe(length + 1);
  });

  test("of several concurrent updates from one revision one is stored, and the others are refused", async () => {
    const { get, post } = await open(name);
    await post("create_tag", { id: "one", title: "One" });
    const writers = Array.from({ length: 8 }, (_value, n) => n);
    const answers = await Promise.all(
      writers.map((n) => post("update_tag", { id: "one", title: `By ${n}`, if_revision: 1 })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
    const winner = answers.findIndex(({ status }) => status === 200);
    const { tag } = (await get("get_tag?id=one")).body;
    expect(tag).toMatchObject({ title: `By ${winner}`, revision: 2 });
    expect(answers.find(({ status }) => status === 409)?.body).toEqual({
      code: "tag",
      description: "Tag out of date: one (Revision mismatch: 1 != 2)",
    });
  });

  test("when all administrators are removed or demoted at once, one stays", async () => {
    const { post } = await open(name);
    await post("create_role", { id: "boss", title: "Boss", privileges: { admin: true } });
    const account = { full_name: "A", email: "a@example.com", password: "p" };
    for (const username of ["ann", "bob"])
      await post("user/admin_create", { ...account, username, privileges: {}, roles: ["boss"] });
    await post("user/admin_create", { ...account, username: "cyd", privileges: { admin: true } });
    const answers = await Promise.all([
      post("user/admin_delete", { username: "admin" }),
      post("user/admin_update", { username: "cyd", active: false }),
      post("delete_role", { id: "boss" }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.description).toBe(
      "At least one active administrator is required.",
    );
  });

  test("a session lives from login to logout", async () => {
    const { send } = await open(name);
    const post = (path: string, body: object, headers: Record<string, string> = {}) =>
      send(`/api/${path}/v1`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
    const signIn = async () => {
      const { body, headers } = await post("user/login", { username: "admin", password: "p" });
      const [cookie = ""] = (headers.get("set-cookie") ?? "").split(";");
      return { cookie, "x-csrf-token": String(body.csrf_token) };
    };
    const [one, two] = [await signIn(), await signIn()];
    const tags = async (headers: Record<string, string>) => (await post("app/get_tags", {}, headers)).body.code;
    expect([await tags(one), await tags(two)]).toEqual([0, 0]);
    expect((await post("app/logout_all", { password: "p" }, one)).status).toBe(200);
    expect([await tags(one), await tags(two)]).toEqual([0, "session"]);
    expect((await post("user/logout", {}, one)).status).toBe(200);
    expect(await tags(one)).toBe("session");
  });

  test("a revoked key fails with the next request", async () => {
    const { ask, post } = await open(name);
    const { body } = await post("create_api_key", { title: "Guest" });
    expect((await ask(body.plain_key)).body.code).toBe(0);
    await post("delete_api_key", { id: body.api_key.id });
    expect((await ask(body.plain_key)).body.description).toBe("Invalid API Key");
  });
});
