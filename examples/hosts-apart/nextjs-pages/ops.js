/** The engine of this host, loaded when the server starts and not by the build; satellites have a port of their own. */
import { nodeListener } from "@signalbox/http-hono/node";

async function make() {
  const { forSatellites, ops, satellites, signalbox } = await import("../../hosts/ops.ts");
  const asked = nodeListener(forSatellites);
  const { port } = await satellites.listen({ port: 0, requests: asked });
  console.log("Satellites", port);
  for (const signal of ["SIGINT", "SIGTERM"])
    process.once(signal, async () => {
      await signalbox.stop();
      process.exit();
    });
  return { ops: nodeListener(ops), files: asked };
}

// Next.js loads this module for `instrumentation.js`, for the route, and again after an edit: all share one engine.
globalThis.signalboxListeners ??= make();
export const listeners = await globalThis.signalboxListeners;
