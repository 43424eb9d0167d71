import type { Gatekeeper } from "../calls/gatekeeper.ts";

/** Behaviour that domains offer each other. Each widens it in its own folder, as plugins do, by declaration merging. */
export interface Services {
  readonly gatekeeper: Gatekeeper;
}

/** Names of the services that sign tokens or seal secrets, and are made with the keys; widened likewise. */
// biome-ignore lint/suspicious/noEmptyInterface: the domains fill it
export interface KeyedServices {}
