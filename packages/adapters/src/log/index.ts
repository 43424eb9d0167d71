export { type JsonLoggerOptions, jsonLogger, type LogLevel } from "./json-logger.ts";
