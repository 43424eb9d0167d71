/** Nuxt and Nitro: middleware of the server, in front of what reads bodies. */
import { nodeListener } from "@signalbox/http-hono/node";
import { fromNodeMiddleware } from "h3";
import { forSatellites, ops, satellites, signalbox } from "../../../../hosts/ops.ts";

const operations = nodeListener(ops);
const asked = nodeListener(forSatellites);
const { port } = await satellites.listen({ port: 0, requests: asked });
console.log("Satellites", port);
// Nitro ends the process once its requests are over, which an open page holds up for half a minute.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => signalbox.stop());

// biome-ignore lint/style/noDefaultExport: Nitro asks for it
export default fromNodeMiddleware((request, response, next) => {
  if (/^\/ops(?:[/?]|$)/.test(request.url)) return operations(request, response);
  if (request.url.startsWith("/files/")) return asked(request, response);
  return next();
});
