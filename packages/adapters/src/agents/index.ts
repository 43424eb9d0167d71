export type { ConnectionServer } from "./entrance.ts";
export type { ListenOptions } from "./listener.ts";
export type { WsAgentsOptions } from "./options.ts";
export type { UpgradeListener, UpgradeServer } from "./upgrades.ts";
export { type WsAgents, wsAgents } from "./ws-agents.ts";
