/** The engine of this host, loaded by the first request and not by the build; satellites have a port of their own. */
import { nodeListener } from "@signalbox/http-hono/node";
import { forSatellites, ops, satellites } from "../../hosts/ops.ts";

const asked = nodeListener(forSatellites);
const { port } = await satellites.listen({ port: 0, requests: asked });
console.log("Satellites", port);
export const listeners = { ops: nodeListener(ops), files: asked };
