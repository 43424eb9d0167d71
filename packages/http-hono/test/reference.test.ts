import { createHash } from "node:crypto";
import { createSignalbox, memoryStorage } from "@signalbox/core";
import { anyone, definePlugin, defineQuery } from "@signalbox/core/plugin";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { createRouter } from "../src/index.ts";
import { start, startEngine } from "./start.ts";

const partOf = (page: string, id: string): string =>
  page.split(`<details id="${id}">`)[1]?.split("</details>")[0] ?? "";

let engine: Awaited<ReturnType<typeof startEngine>>["engine"];
let router: Hono;
beforeAll(async () => {
  engine = (await startEngine()).engine;
  router = createRouter(engine);
});
afterAll(() => engine.stop());

describe("the reference page", () => {
  test("has a part for each operation and each shared schema, with parameters, answer and refusals", async () => {
    const response = await router.request("/api/reference");
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const text = await response.text();
    const { components } = (await (await router.request("/api/openapi.json")).json()) as {
      components: { schemas: object };
    };
    for (const { namespace, name } of engine.operations.values())
      expect(partOf(text, namespace === "app" ? name : `${namespace}_${name}`), name).toContain(
        `/api/${namespace}/${name}/v1</code>`,
      );
    for (const name of Object.keys(components.schemas)) expect(partOf(text, `schema-${name}`), name).not.toBe("");
    const tag = partOf(text, "create_tag");
    for (const told of [
      "<code>POST /api/app/create_tag/v1</code>",
      "Needs the privilege <code>create_tags</code>",
      "<td><code>title</code></td><td>string</td>",
      '<td><code>notes</code></td><td>string or null <span class="faint">optional</span></td>',
      '<a href="#schema-Tag">Tag</a>',
      "<code>rate</code>, <code>session</code>, <code>tag</code>",
      "&quot;title&quot;: &quot;Nightly report&quot;",
    ])
      expect(tag).toContain(told);
    expect(partOf(text, "create_event")).toContain('list of <a href="#schema-Trigger">Trigger</a>');
    expect(partOf(text, "schema-Trigger")).toContain("Of the type &quot;nth&quot;");
    expect(partOf(text, "ping")).toContain("<code>GET, POST /api/app/ping/v1</code>");
    expect(partOf(text, "stream_updates")).toContain("Bytes, or an event stream.");
  });

  test("executes and loads nothing", async () => {
    const response = await router.request("/api/reference");
    const { headers } = response;
    const text = await response.text();
    const [, style = ""] = /<style>(.*?)<\/style>/s.exec(text) ?? [];
    const hash = createHash("sha256").update(style).digest("base64");
    expect(headers.get("content-security-policy")).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(style.length).toBeGreaterThan(100);
    expect(text).not.toMatch(/<script|<link|<img|<iframe|<form|\son\w+=|style="|url\(|@import/i);
    const ids = new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => `#${id}`));
    const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href);
    expect(links.length).toBeGreaterThan(ids.size);
    expect(links.filter((href) => href !== "openapi.json" && !ids.has(href))).toEqual([]);
  });

  test("shows texts of plugins without their markup", async () => {
    const odd = defineQuery({
      ...{ name: "odd", summary: "<script>alert(1)</script> & `<b>`", access: anyone, output: z.object({}) },
      input: z.object({ '"><img src=x>': z.string().optional() }),
      handler: () => ({}),
    });
    const plugins = [definePlugin({ id: "test.odd", operations: [odd] })];
    const other = createSignalbox({ storage: memoryStorage(), secretKey: "a secret key for tests", plugins });
    const host = new Hono().route("/ops", createRouter(other));
    const text = await (await host.request("/ops/api/reference")).text();
    expect(partOf(text, "odd")).toContain("&lt;script&gt;alert(1)&lt;/script&gt; &amp; <code>&lt;b&gt;</code>");
    expect(partOf(text, "odd")).toContain("&quot;&gt;&lt;img src=x&gt;");
    expect(text).not.toMatch(/<script|<img/);
  });

  test("is disabled together with the document", async () => {
    const { get } = await start({ openapi: false });
    expect((await get("/api/reference", {})).body.description).toBe("Invalid API URL: /api/reference");
  });
});
