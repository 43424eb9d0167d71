export type { ConnectionServer } from "./entrance/entrance.ts";
export type { ListenOptions } from "./entrance/listener.ts";
export type { UpgradeListener, UpgradeServer } from "./entrance/upgrades.ts";
export type { WsAgentsOptions } from "./options.ts";
export { type WsAgents, wsAgents } from "./ws-agents.ts";
