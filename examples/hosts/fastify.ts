/** Fastify 5, as a plugin in which Fastify parses no bodies. */
import { fastifyPlugin } from "@signalbox/http-hono/node";
import fastify from "fastify";
import { forSatellites, ops, port, satellites } from "./ops.ts";

const app = fastify();
app.get("/", () => "the host's own page");
app.register(fastifyPlugin(ops), { prefix: "/ops" });
for (const prefix of ["/api", "/files", "/health"]) app.register(fastifyPlugin(forSatellites), { prefix });

satellites.attach(app.server);
await app.listen({ port, host: "127.0.0.1" });
console.log("Listening", app.server.address());
