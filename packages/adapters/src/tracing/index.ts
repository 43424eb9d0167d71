export { type OpenTelemetry, openTelemetry } from "./open-telemetry.ts";
