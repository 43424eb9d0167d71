/**
 * The API for applications. Extensions of the engine have separate entry points: `@signalbox/core/plugin` for operations,
 * services and collections, `@signalbox/core/storage` for a database, `@signalbox/core/adapter` for all other ports,
 * `@signalbox/core/testing` for tests.
 *
 * @module
 */
import "./engine/widened.ts";

export { portableFile, readPortableFile } from "./desk/transfer/rules/definitions.ts";
export type { ConfigInput } from "./engine/config.ts";
export { createSignalbox, type Signalbox } from "./engine/signalbox.ts";
export type { SignalboxOptions } from "./engine/signalbox-options.ts";
export type { HostUser } from "./kernel/calls/context.ts";
export { AccessError, InputError, NotFoundError, SignalboxError } from "./kernel/errors/errors.ts";
export type { SignalboxEvents } from "./kernel/plugins/events.ts";
export { memoryBlobStore } from "./memory/memory-blob-store.ts";
export { memoryStorage } from "./memory/memory-storage.ts";
export { type Logger, silentLogger } from "./ports/logger.ts";
export { resetAdministrator } from "./reset-administrator.ts";
export { rotateSecretKey } from "./rotate-secret-key.ts";
export type { ActionInput } from "./wire/entries/action-types.ts";
export type { LimitInput } from "./wire/entries/limit-types.ts";
export { defineEvent, type EventDefinition, type EventRun } from "./work/events/define-event.ts";
export type { TriggerInput } from "./work/events/rules/triggers/trigger-types.ts";
export { defineWorkflow, type WorkflowDefinition } from "./work/workflows/define-workflow.ts";
