export type { Handler } from "./answer/plain-answer.ts";
export { behindProxies, type NodeRequest, type ProxiedCaller } from "./caller/behind-proxies.ts";
export { type TrustedHeaderOptions, trustedHeaderUser } from "./caller/trusted-header.ts";
export { limitPipelining } from "./node/limit-pipelining.ts";
export { createOpenApi, type OpenApiOptions } from "./openapi/document.ts";
export type { Engine, HandlerOptions, HostEnv, RouterOptions } from "./options.ts";
export { createHandler, createRouter } from "./router.ts";
