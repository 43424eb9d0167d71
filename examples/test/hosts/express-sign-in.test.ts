import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSignalbox, type HostUser, memoryStorage } from "@signalbox/core";
import { createDashboard } from "@signalbox/dashboard";
import { nodeListener, nodeRequest } from "@signalbox/http-hono/node";
import express from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SECRET_KEY } from "./checks.ts";

type Signed = express.Request & { user?: HostUser };

const signalbox = createSignalbox({ storage: memoryStorage(), secretKey: SECRET_KEY });
const server = createServer(appBehindSignIn());
let url = "";

/** The mount as shown in the guide, behind middleware that knows one user by a cookie. */
function appBehindSignIn(): express.Express {
  const authorize = (_request: Request, env: unknown) => nodeRequest<Signed>(env)?.user ?? false;
  const app = express();
  app.use((request: Signed, _response, next) => {
    if (request.headers.cookie === "app_session=s1") request.user = { id: "ann" };
    next();
  });
  return app.use("/ops", nodeListener(createDashboard(signalbox, { authorize })));
}

beforeAll(async () => {
  await signalbox.start();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ops`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await signalbox.stop();
});

test.each(["/", "/jobs", "/boot.json", "/api/app/get_tags/v1", "/health"])(
  "%s is for the host's user, and refused to an unknown caller",
  async (path) => {
    const statusFor = async (cookie: string) => (await fetch(url + path, { headers: { cookie } })).status;
    expect([await statusFor("app_session=s1"), await statusFor("")]).toEqual([200, 403]);
  },
);
