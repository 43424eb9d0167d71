export { type FileLogger, type FileLoggerOptions, fileLogger } from "./file-logger.ts";
export { type JsonLoggerOptions, jsonLogger, type LogLevel } from "./json-logger.ts";
export { type WinstonShaped, winstonLogger } from "./winston-logger.ts";
