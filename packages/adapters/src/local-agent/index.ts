export { type LocalAgentOptions, localAgent } from "./local-agent.ts";
export { type NodeProcessesOptions, nodeProcesses } from "./runners/node-processes.ts";
