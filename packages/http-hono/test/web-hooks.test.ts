import { expect, test } from "vitest";
import { start } from "./start.ts";

const hook = { id: "ops", title: "Ops", url: "https://example.com/", method: "POST" };
const failure = {
  code: "webhook",
  description: "Web hooks are not configured: the host gave no web hook client",
};

test.each(["/api/app/test_web_hook/v1", "/api/app/test_web_hook"])(
  "a test that fails is answered with status 200 on %s",
  async (path) => {
    const { post } = await start();
    expect(await post(path, hook)).toMatchObject({ status: 200, body: failure });
  },
);

test("a malformed test is not", async () => {
  const { post } = await start();
  expect(await post("/api/app/test_web_hook/v1", { ...hook, url: "file:///x" })).toMatchObject({
    status: 400,
    body: { code: "api", description: "Malformed parameter: url" },
  });
});

test("fire_job_web_hook needs no credential and tells nothing about ids", async () => {
  const { post } = await start();
  const call = { job: "j1", server: "s1", web_hook: "ops", text: "" };
  expect(await post("/api/app/fire_job_web_hook/v1", call, {})).toMatchObject({
    status: 400,
    body: { code: "api", description: "Invalid." },
  });
});
