/** SvelteKit: the first hook that sees a request. */
import { building } from "$app/environment";

// The build loads this file, too, and should open no database.
const { forSatellites, ops } = building ? {} : await import("../ops.js");

export function handle({ event, resolve }) {
  const { pathname } = event.url;
  const remoteAddress = event.getClientAddress();
  if (pathname === "/ops" || pathname.startsWith("/ops/")) return ops(event.request, { remoteAddress });
  if (pathname.startsWith("/files/")) return forSatellites(event.request, { remoteAddress });
  return resolve(event);
}
