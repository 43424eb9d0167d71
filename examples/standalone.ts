/**
 * A complete server configured by its environment, as in a container. See docs/guide/standalone.md, and lib/standalone-server.ts
 * for the server itself.
 */
// First, because this process may replace itself by one without secrets in its environment, which loads all modules again.
import "./lib/taken-environment.ts";

await import("./lib/standalone-server.ts");
