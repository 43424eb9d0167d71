/** The engine of this host; satellites have a port of their own. */
import { getRequestListener } from "@hono/node-server";
import { forSatellites, ops, satellites } from "../../hosts/ops.ts";

const requests = getRequestListener((request) => forSatellites(request), { overrideGlobalObjects: false });
const { port } = await satellites.listen({ port: 0, requests });
console.log("Satellites", port);

export { forSatellites, ops };
