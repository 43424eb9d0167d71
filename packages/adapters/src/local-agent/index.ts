export { type LocalAgentOptions, localAgent } from "./local-agent.ts";
export { nodeProcesses } from "./node-processes.ts";
