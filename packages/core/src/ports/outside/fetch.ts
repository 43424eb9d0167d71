/** Requests to other services, with the signature of Node's `fetch`. */
export type Fetch = typeof globalThis.fetch;
