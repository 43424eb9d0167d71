/** Behaviour that domains offer to each other. Each domain or plugin widens it in its own folder by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: the domains fill it
export interface Services {}

/** Names of the services that sign tokens or seal secrets and therefore receive the keys; widened in the same way. */
// biome-ignore lint/suspicious/noEmptyInterface: the domains fill it
export interface KeyedServices {}

/**
 * All parts that a service may request by name, except the keys. `kernel/container.ts` widens it with the ports and the parts of
 * the kernel; it is a separate file because those parts refer to handlers of plugins, which in turn take the cradle.
 */
export interface Cradle extends Services {}

/** The cradle of services that sign tokens and seal secrets. */
export interface KeyedCradle extends Cradle {}
