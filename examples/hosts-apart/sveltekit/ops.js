/** The engine of this host; satellites have a port of their own. */
import { getRequestListener } from "@hono/node-server";

async function make() {
  const { forSatellites, ops, satellites, signalbox } = await import("../../hosts/ops.ts");
  const requests = getRequestListener((request) => forSatellites(request), { overrideGlobalObjects: false });
  const { port } = await satellites.listen({ port: 0, requests });
  console.log("Satellites", port);
  // The adapter waits for open pages, and ends when nothing is left to do.
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => signalbox.stop());
  return { forSatellites, ops };
}

// `vite dev` loads this module again after an edit: the running engine continues.
globalThis.signalboxHandlers ??= make();
export const { forSatellites, ops } = await globalThis.signalboxHandlers;
