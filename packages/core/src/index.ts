/**
 * What an application uses. Extensions of the engine have doors of their own: `@signalbox/core/plugin` for operations,
 * services and collections, `@signalbox/core/storage` for a database, `@signalbox/core/adapter` for everything else that
 * the engine is handed, `@signalbox/core/testing` for tests.
 *
 * @module
 */
import "./widened.ts";

export { type ConfigInput, configSchema } from "./config.ts";
export {
  type PortableDefinition,
  type PortableFile,
  portableFile,
  readPortableFile,
} from "./desk/transfer/rules/definitions.ts";
export type { HostReadings } from "./fleet/monitors/rules/host-readings.ts";
export type { Actor, Credentials, HostUser } from "./kernel/context.ts";
export { AccessError, DomainError, InputError, NotFoundError, SignalboxError } from "./kernel/errors.ts";
export type { SignalboxEvents } from "./kernel/events.ts";
export type { StartReport } from "./kernel/lifecycle.ts";
export { memoryBlobStore } from "./memory/memory-blob-store.ts";
export { memoryStorage } from "./memory/memory-storage.ts";
export type { KeyProvider } from "./ports/key-provider.ts";
export { type Logger, silentLogger } from "./ports/logger.ts";
export type { Mail, Mailer } from "./ports/mailer.ts";
export type { PasswordVerifier } from "./ports/password-verifier.ts";
export type { SecretLog } from "./ports/secret-log.ts";
export { type ResetAdministrator, type ResetAdministratorOptions, resetAdministrator } from "./reset-administrator.ts";
export {
  type RotateSecretKeyOptions,
  type RotateSecretKeyReport,
  rotateSecretKey,
} from "./rotate-secret-key.ts";
export { createSignalbox, type Signalbox, type SignalboxWith, type TransactionScope } from "./signalbox.ts";
export type { SignalboxOptions } from "./signalbox-options.ts";
export type { ActionInput } from "./wire/action-types.ts";
export type { LimitInput } from "./wire/limit-types.ts";
export {
  defineEvent,
  type EventDefinition,
  type EventRun,
  type EventWork,
  type EventWorker,
  type ParamsSchema,
  type TypedEvent,
} from "./work/events/define-event.ts";
export type { TriggerInput } from "./work/events/rules/trigger-types.ts";
export {
  defineWorkflow,
  type WorkflowDefinition,
  type WorkflowPartDefinition,
} from "./work/workflows/define-workflow.ts";
