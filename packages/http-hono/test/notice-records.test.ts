import { describe, expect, test } from "vitest";
import { openAdmin } from "./boxes/admin-box.ts";
import { ONE_STORAGE } from "./open-storage.ts";

const missing = (member: string) => ({
  status: 400,
  body: { code: "api", description: `Missing parameter: ${member}` },
});
const layer = { users: ["admin"], turn: "day", every: 1, handover: { at: "09:00" }, start: "2027-01-04" };

describe.each(ONE_STORAGE)("records around notices over %s", (name) => {
  test.each([
    ["create_receiver", { email: "ops@example.com" }, "type"],
    ["create_receiver", { email: "ops@example.com", type: null }, "type"],
    ["create_check", { url: "https://example.com/" }, "type"],
    ["create_rota", { layers: [layer] }, "timezone"],
    ["create_rota", { timezone: "UTC" }, "layers"],
  ])("%s with %j lacks %s", async (operation, members, member) => {
    const at = await openAdmin(name);
    expect(await at.post(operation, { title: "T", ...members })).toMatchObject(missing(member));
    expect(await at.post(operation, members)).toMatchObject(missing("title"));
  });

  test("members that the engine sets cannot be written by callers", async () => {
    const at = await openAdmin(name);
    const health = { state: "ok", since: 1 };
    const mail = { id: "ops", title: "Ops", type: "mail", email: "ops@example.com" };
    expect((await at.post("create_receiver", { ...mail, health })).body.receiver).not.toHaveProperty("health");
    expect((await at.post("update_receiver", { id: "ops", health })).body.receiver).not.toHaveProperty("health");
    expect((await at.get("get_receiver/v1?id=ops")).body.receiver).not.toHaveProperty("health");
    const made = (await at.post("create_heartbeat", { id: "hb", title: "H", every: 60, token: "mine" })).body;
    expect(made).toMatchObject({ token: expect.stringMatching(/^[\w-]{43}$/) });
    const changed = (await at.post("update_heartbeat", { id: "hb", token: "mine", notes: "N" })).body;
    for (const { heartbeat } of [made, changed]) expect(heartbeat).not.toHaveProperty("token");
  });
});
