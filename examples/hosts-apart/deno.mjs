/** Deno: the handler fits `Deno.serve`, with its information as second argument; satellites have their own port. */
import { getRequestListener } from "@hono/node-server";
import { forSatellites, ops, port, satellites } from "../hosts/ops.ts";

const server = Deno.serve({ port, hostname: "127.0.0.1", onListen: () => undefined }, (request, info) => {
  const [, first] = new URL(request.url).pathname.split("/");
  if (first === "ops") return ops(request, info);
  return first === "files" ? forSatellites(request, info) : new Response("the host's own page");
});
// The globals of the runtime stay: only servers of Node know others.
const requests = getRequestListener((request) => forSatellites(request), { overrideGlobalObjects: false });
const { port: own } = await satellites.listen({ port: 0, requests });
console.log("Listening", JSON.stringify({ port: server.addr.port, satellites: own }));
