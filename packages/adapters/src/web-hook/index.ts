export type { TargetEntry } from "./address-policy.ts";
export type { Address, ResolveHost } from "./addresses.ts";
export { type FetchWebHookClientOptions, fetchWebHookClient } from "./fetch-client.ts";
