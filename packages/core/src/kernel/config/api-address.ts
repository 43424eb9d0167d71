import type { Config } from "./config.ts";

/** Address of an operation, for links that people and programs follow: "heartbeat/abc" below the base address of the API. */
export function apiAddress(
  { base_api_url, base_app_url }: Pick<Config, "base_api_url" | "base_app_url">,
  path: string,
) {
  return `${base_api_url || `${base_app_url}/api`}/app/${path}`;
}
