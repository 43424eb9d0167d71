/**
 * The pages of Signalbox as one fetch handler that a host mounts.
 *
 * @module
 */
export { createDashboard, type DashboardHandler } from "./server/dashboard.ts";
export type { Authorize, DashboardLink, DashboardOptions, PageName } from "./server/options.ts";
