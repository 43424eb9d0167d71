/** The engine of this host, loaded by the first request and not by the build; satellites have a port of their own. */
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

// `next dev` loads this module anew after an edit: the engine that is there goes on.
globalThis.signalboxHandlers ??= make();
export const handlers = await globalThis.signalboxHandlers;
