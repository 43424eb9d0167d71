import { createSignalbox, type SignalboxOptions } from "@signalbox/core";
import type { Plugin } from "@signalbox/core/plugin";
import { fakeClock } from "@signalbox/core/testing";
import { onTestFinished } from "vitest";
import { quickKeys, quickPasswords } from "../../../core/test/engine.ts";
import { createRouter } from "../../src/index.ts";
import { openStorage } from "../open-storage.ts";
import { type Answer, read } from "../start.ts";
import { untilOf } from "../until.ts";

/** 2027-01-15 08:00:00 UTC */
export const START = 1_800_000_000;
export const PASSWORD = "correct horse";

export interface AdminOptions extends Partial<SignalboxOptions<readonly Plugin[]>> {
  readonly now?: number;
}

type Send = (path: string, init: RequestInit) => Promise<Answer>;

const JSON_BODY = { "content-type": "application/json" };

const callerOf = (send: Send, key: string) => ({
  get: (path: string) => send(`/api/app/${path}`, { headers: { "x-api-key": key } }),
  post: (operation: string, body: object = {}) =>
    send(`/api/app/${operation}/v1`, {
      ...{ method: "POST", body: JSON.stringify(body) },
      headers: { ...JSON_BODY, "x-api-key": key },
    }),
});

/** Signs a user in; the session's cookie and token are sent with every call. */
async function signIn(send: Send, username: string, password: string) {
  const body = JSON.stringify({ username, password });
  const answer = await send("/api/user/login/v1", { method: "POST", headers: JSON_BODY, body });
  const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  const headers = { ...JSON_BODY, cookie, "x-csrf-token": answer.body.csrf_token };
  return (operation: string, members: object = {}) =>
    send(`/api/app/${operation}/v1`, { method: "POST", headers, body: JSON.stringify(members) });
}

/** An engine whose administration is tested over HTTP. */
export async function openAdmin(name: string, { config = {}, now = START, ...given }: AdminOptions = {}) {
  const clock = fakeClock(now);
  const storage = given.storage ?? (await openStorage(name));
  const engine = createSignalbox({
    ...{ storage, clock, secretKey: "a secret key for tests", administratorPassword: PASSWORD },
    ...given,
    plugins: [quickPasswords, quickKeys, ...(given.plugins ?? [])],
    config: { tz: "UTC", ...config },
  });
  const { administratorKey = "" } = await engine.start();
  onTestFinished(() => engine.stop());
  const app = createRouter(engine);
  const send: Send = async (path, init) => read(await app.request(path, init));
  const admin = callerOf(send, administratorKey);
  const until = untilOf(clock);
  const jobs = async (): Promise<{ id: string }[]> => (await admin.get("get_internal_jobs/v1")).body.rows;
  return {
    signIn: (username = "admin", password = PASSWORD) => signIn(send, username, password),
    ...{ ...admin, clock, send, engine, jobs, storage, until },
    /** A caller with a key, by default without privileges. */
    async other(members: object = {}) {
      const { body } = await admin.post("create_api_key", { title: "Other", ...members });
      return callerOf(send, body.plain_key);
    },
    /** Waits until the job with that id has ended; returns its row of the activity log. */
    async ended(id: string) {
      await until(async () => (await jobs()).every((job) => job.id !== id));
      const { body } = await admin.get(
        `search_activity/v1?limit=10&query=${encodeURIComponent(`action:internal_job keywords:${id}`)}`,
      );
      return body.rows[0];
    },
    transactions: async () => (await admin.get("dash_stats/v1")).body.stats.day.transactions,
  };
}
