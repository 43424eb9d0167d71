export { behindProxies, type NodeRequest, type ProxiedCaller } from "./behind-proxies.ts";
export { limitPipelining } from "./limit-pipelining.ts";
export { createOpenApi, type OpenApiOptions } from "./openapi/document.ts";
export type { Engine, HandlerOptions, HostEnv, RouterOptions } from "./options.ts";
export type { Handler } from "./plain-answer.ts";
export { createHandler, createRouter } from "./router.ts";
export { type TrustedHeaderOptions, trustedHeaderUser } from "./trusted-header.ts";
