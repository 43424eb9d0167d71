/** Requests to elsewhere, as Node makes them. */
export type Fetch = typeof globalThis.fetch;
