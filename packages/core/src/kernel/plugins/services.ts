/** Behaviour that domains offer each other. Each widens it in its own folder, as plugins do, by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: the domains fill it
export interface Services {}

/** Names of the services that sign tokens or seal secrets, and are made with the keys; widened likewise. */
// biome-ignore lint/suspicious/noEmptyInterface: the domains fill it
export interface KeyedServices {}

/**
 * All parts that a service may ask for by name, but for the keys. `kernel/container.ts` widens it with the ports and the
 * parts of the kernel: these know handlers of plugins, which take the cradle in turn.
 */
export interface Cradle extends Services {}

/** The cradle of the services that sign and seal. */
export interface KeyedCradle extends Cradle {}
