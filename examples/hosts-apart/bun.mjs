/** Bun: the handler fits `fetch` of `Bun.serve`, with its server as second argument; satellites have their own port. */
import { getRequestListener } from "@hono/node-server";
import { forSatellites, ops, port, satellites } from "../hosts/ops.ts";

const server = Bun.serve({
  ...{ port, hostname: "127.0.0.1", maxRequestBodySize: 1024 ** 3, idleTimeout: 0 },
  fetch(request, self) {
    const [, first] = new URL(request.url).pathname.split("/");
    if (first === "ops") return ops(request, { server: self });
    if (first === "files") return forSatellites(request, { server: self });
    return new Response("the host's own page");
  },
});
// The globals of the runtime stay: only servers of Node know others.
const requests = getRequestListener((request) => forSatellites(request), { overrideGlobalObjects: false });
const { port: own } = await satellites.listen({ port: 0, requests });
console.log("Listening", JSON.stringify({ port: server.port, satellites: own }));
