import type { Gatekeeper } from "./gatekeeper.ts";

/** Behaviour that domains offer each other. Each widens it in its own folder, as plugins do, by declaration merging. */
export interface Services {
  readonly gatekeeper: Gatekeeper;
}
