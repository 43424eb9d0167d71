/**
 * A typed client of the HTTP API for browsers, Node and Bun: `fetch` and nothing else.
 *
 * @module
 */
export type { Api, CallOptions } from "./api.ts";
export { type Client, type ClientOptions, createClient } from "./client.ts";
export { type CodeOf, isErrorOf, SignalboxError } from "./error.ts";
export type { Refusals } from "./refusals.ts";
export type { StreamEvent, StreamOptions } from "./stream.ts";
