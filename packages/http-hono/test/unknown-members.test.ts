import { describe, expect, test } from "vitest";
import { start } from "./start.ts";

const SENT = { title: "T", icno: "x", nested: { any: 1 } };

describe("a parameter that an operation does not know", () => {
  test("is kept and named beside the code", async () => {
    const { post } = await start();
    const { status, body } = await post("/api/app/create_tag/v1", SENT);
    expect(status).toBe(200);
    expect(body).toMatchObject({ code: 0, tag: { title: "T", icno: "x" }, unknown: ["icno", "nested"] });
  });

  test("is also named if it comes from a query, unlike parameters of the transport", async () => {
    const { get, key } = await start();
    const steering = `pretty=1&cachebust=2&callback=f&format=json&ttl=3&api_key=${key}`;
    expect((await get(`/api/app/search_tickets/v1?querry=x&${steering}`)).body.unknown).toEqual(["querry"]);
    expect((await get(`/api/app/search_tickets/v1?query=x&${steering}`)).body).not.toHaveProperty("unknown");
  });

  test("is named in a form and in its json field", async () => {
    const { post } = await start();
    const form = new FormData();
    form.set("json", JSON.stringify({ subject: "Lamp", assigness: ["ada"] }));
    form.set("file1", new File(["x"], "a.txt"));
    const { body } = await post("/api/app/create_ticket/v1", form);
    expect(body).toMatchObject({ code: 0, unknown: ["assigness"] });
  });

  test("is named in a header where bytes are answered", async () => {
    const { app, key } = await start();
    const path = "/api/app/bulk_search_export/v1?index=tickets&columns=num&format=csv&colums=id&%C3%BC=1";
    const answer = await app.request(path, { headers: { "x-api-key": key } });
    expect([answer.status, answer.headers.get("x-unknown-parameters")]).toEqual([200, "colums, %C3%BC"]);
    await answer.text();
  });

  test("is not named before the caller is known, or in a refusal", async () => {
    const { post } = await start();
    const { body } = await post("/api/app/create_tag/v1", SENT, {});
    expect(body).toEqual({ code: "session", description: "No Session ID or API Key could be found" });
  });
});

describe("with X-Strict", () => {
  test.each(["1", "true"])("%s it is refused", async (value) => {
    const { post, get, key } = await start();
    const headers = { "x-api-key": key, "x-strict": value };
    const { status, body } = await post("/api/app/create_tag/v1", SENT, headers);
    expect([status, body]).toEqual([400, { code: "api", description: "Unknown parameters: icno, nested" }]);
    expect((await get("/api/app/search_tickets/v1?querry=x", headers)).body.description).toBe(
      "Unknown parameter: querry",
    );
    expect((await post("/api/app/create_tag/v1", { title: "T" }, headers)).body.code).toBe(0);
  });

  test.each(["0", "false", ""])("%j it is named as usual", async (value) => {
    const { post, key } = await start();
    const { body } = await post("/api/app/create_tag/v1", SENT, { "x-api-key": key, "x-strict": value });
    expect(body).toMatchObject({ code: 0, unknown: ["icno", "nested"] });
  });

  test("a header cannot disable the rule of the configuration", async () => {
    const { post, key } = await start({ config: { api: { strict: true } } });
    for (const value of ["0", "1"])
      expect(
        (await post("/api/app/create_tag/v1", SENT, { "x-api-key": key, "x-strict": value })).body.description,
      ).toBe("Unknown parameters: icno, nested");
  });
});
