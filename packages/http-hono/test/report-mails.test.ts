import type { Mail } from "@signalbox/core/adapter";
import { describe, expect, test } from "vitest";
import { openEngine } from "./boxes/fleet-engine.ts";
import { ONE_STORAGE } from "./open-storage.ts";
import { untilOf } from "./until.ts";

const account = { username: "ann", password: "a long password", email: "ann@example.com", full_name: "Ann" };

describe.each(ONE_STORAGE)("reports of internal jobs over %s", (name) => {
  test.each([
    [
      "admin_run_optimization",
      name === "memory" ? /A database in memory needs no optimization/ : /Size: \d+ bytes before, \d+ bytes now\./,
    ],
    ["admin_run_maintenance", /Copy of the database: \d/],
  ])("the report of %s is mailed to the user who called, and not for a key", async (operation, report) => {
    const mails: Mail[] = [];
    const mailer = { send: async (mail: Mail) => void mails.push(mail) };
    const at = await openEngine(name, { mailer, config: { tz: "UTC" } });
    const until = untilOf(at.clock);
    const isOver = async () => (await at.admin.get("get_internal_jobs/v1")).body.rows.length === 0;
    expect((await at.admin.post(operation, {})).body.code).toBe(0);
    await until(isOver);
    expect(mails).toEqual([]);

    await at.engine.api.userAdminCreate({ ...account, active: 1, privileges: { admin: true } });
    const login = await at.send("/api/user/login/v1", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: account.username, password: account.password }),
    });
    const session = /session_id=(\w+)/.exec(login.headers.get("set-cookie") ?? "")?.[1] ?? "";
    const asked = await at.send(`/api/app/${operation}/v1`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-session-id": session },
      body: "{}",
    });
    expect(asked.body).toMatchObject({ code: 0, id: expect.any(String) });
    await until(() => mails.length > 0);
    expect(mails).toMatchObject([{ to: ["ann@example.com"], text: expect.stringMatching(report) }]);
  });
});
