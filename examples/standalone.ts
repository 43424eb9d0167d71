/**
 * A complete server configured by its environment, as for a container. See docs/guide/standalone.md, and
 * lib/standalone-server.ts for the server itself.
 */
// First, since this process may be replaced by one without secrets in its environment, which loads all modules anew.
import "./lib/taken-environment.ts";

await import("./lib/standalone-server.ts");
