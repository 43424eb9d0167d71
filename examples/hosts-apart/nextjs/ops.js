/** The engine of this host, loaded when the server starts and not by the build; satellites have a port of their own. */
import { getRequestListener } from "@hono/node-server";

async function make() {
  const { forSatellites, ops, satellites, signalbox } = await import("../../hosts/ops.ts");
  const requests = getRequestListener((request) => forSatellites(request), { overrideGlobalObjects: false });
  const { port } = await satellites.listen({ port: 0, requests });
  console.log("Satellites", port);
  for (const signal of ["SIGINT", "SIGTERM"])
    process.once(signal, async () => {
      await signalbox.stop();
      process.exit();
    });
  return { ops, files: forSatellites };
}

// Next.js loads this module for `instrumentation.js`, for the route, and again after an edit: all share one engine.
globalThis.signalboxHandlers ??= make();
export const handlers = await globalThis.signalboxHandlers;
