import { afterAll, beforeAll, describe, test } from "vitest";
import { CHECKS } from "./checks.ts";
import { type StartedHost, startHost } from "./start-host.ts";

const HOSTS = ["express.ts", "fastify.ts", "koa.ts", "node-http.ts", "hono.ts"];

describe.each(HOSTS)("%s", (name) => {
  let host: StartedHost;
  beforeAll(async () => {
    host = await startHost(name);
  });
  afterAll(() => host.stop());

  test.each(Object.entries(CHECKS))("%s", async (_check, run) => run(host));
});
