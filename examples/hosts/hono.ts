/** Hono on Node. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { forSatellites, ops, port, satellites } from "./ops.ts";

const app = new Hono();
app.get("/", (c) => c.text("the host's own page"));
for (const path of ["/ops", "/ops/*"]) app.all(path, (c) => ops(c.req.raw, c.env));
for (const path of ["/api/*", "/files/*", "/health"]) app.all(path, (c) => forSatellites(c.req.raw, c.env));

const server = serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, (address) => console.log("Listening", address));
satellites.attach(server);
