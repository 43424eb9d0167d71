import "./widened.ts";

export { type Config, type ConfigInput, configSchema, type QuickMonitor } from "./config.ts";
export {
  type RotateSecretKeyOptions,
  type RotateSecretKeyReport,
  rotateSecretKey,
} from "./directory/secrets/services/offline.ts";
export {
  type CompiledExpression,
  type CompiledRegex,
  type CompiledTemplate,
  compileRegex,
  createExpressions,
  type ExpressionFunction,
  type Expressions,
  type ExpressionsOptions,
} from "./expressions/index.ts";
export type { HostReadings } from "./fleet/monitors/rules/host-readings.ts";
export type { ActionOutcome, ActionRun, ActionType } from "./kernel/action-type.ts";
export type { Cradle, Kernel, Ports } from "./kernel/container.ts";
export {
  type Actor,
  anonymous,
  type Client,
  type CommandContext,
  type Credentials,
  type HostUser,
  localClient,
  type OperationContext,
  type PrepareContext,
  type QueryContext,
  type Reply,
  type StreamContext,
  systemActor,
  type Upload,
} from "./kernel/context.ts";
export type { Definitions } from "./kernel/definitions.ts";
export {
  AccessError,
  ConflictError,
  DomainError,
  type DomainReason,
  DuplicateError,
  InputError,
  NotFoundError,
  RateError,
  SessionError,
  SignalboxError,
  StorageError,
  type StorageFault,
  type StoreName,
} from "./kernel/errors.ts";
export type { EventBus } from "./kernel/event-bus.ts";
export type { SignalboxEvents } from "./kernel/events.ts";
export type { Gatekeeper } from "./kernel/gatekeeper.ts";
export type { OperationHook } from "./kernel/hooks.ts";
export type { StartReport } from "./kernel/lifecycle.ts";
export { type Loop, pause } from "./kernel/loops.ts";
export {
  type Access,
  type AnyOperation,
  type ApiOf,
  admin,
  anyone,
  clientName,
  credentials,
  defineCommand,
  defineQuery,
  defineStream,
  type Method,
  type Operation,
  type OperationKind,
  type OperationSpec,
  privilege,
  type StreamResult,
  token,
  type UnknownMembers,
  unchecked,
} from "./kernel/operation.ts";
export type { Execute, OperationCall } from "./kernel/pipeline.ts";
export {
  definePlugin,
  type HostEvent,
  type MonitorDataType,
  type OperationsOf,
  type Plugin,
  type WorkHandler,
} from "./kernel/plugin.ts";
export { operationKey, type Registry } from "./kernel/registry.ts";
export type { Services } from "./kernel/services.ts";
export type { Snapshot, Transact, TransactOptions, Unit } from "./kernel/unit-of-work.ts";
export { checkBlobKey } from "./lib/blob-key.ts";
export {
  checkOptions,
  given,
  givenText,
  type OptionRule,
  type OptionRules,
  optional,
  optionalCount,
  optionalFlag,
  optionalOneOf,
  optionalPositive,
  optionalText,
  optionalWhole,
  required,
  requiredText,
} from "./lib/check-options.ts";
export { gatherMore } from "./lib/gather-more.ts";
export { isSurelyLonger } from "./lib/json-size.ts";
export { settleAll } from "./lib/settle-all.ts";
export { splitWords } from "./lib/split-words.ts";
export { memoryBlobStore } from "./memory/memory-blob-store.ts";
export { memoryStorage } from "./memory/memory-storage.ts";
export type {
  AgentLink,
  AgentMessage,
  AgentReceiver,
  AgentTransport,
  AgentTransportContext,
  FunctionFiles,
  HostFunction,
  HostFunctionCall,
  WorkerFunction,
} from "./ports/agent-transport.ts";
export type { BlobInfo, BlobStore } from "./ports/blob-store.ts";
export { type Clock, systemClock } from "./ports/clock.ts";
export {
  type AnyCollection,
  type Collection,
  type CollectionDefinition,
  type Column,
  type ColumnValue,
  defineCollection,
  type Page,
  type ReadCollection,
  type StoredRecord,
} from "./ports/collection.ts";
export type { Coordination, NodeMessage } from "./ports/coordination.ts";
export { createFunctionFiles, type FunctionFilesOptions, inputFileKey, type KeptFile } from "./ports/function-files.ts";
export { createIds, type IdGenerator } from "./ports/ids.ts";
export type { KeyProvider } from "./ports/key-provider.ts";
export { localCoordination } from "./ports/local-coordination.ts";
export { type LogFields, type Logger, silentLogger } from "./ports/logger.ts";
export type { Mail, MailAttachment, Mailer } from "./ports/mailer.ts";
export type { PasswordVerifier } from "./ports/password-verifier.ts";
export type { LeftFile, ProcessExit, ProcessRunner, ProcessSpec, RunningProcess } from "./ports/process-runner.ts";
export { type Random, systemRandom } from "./ports/random.ts";
export type { SecretLog, SecretLogEntry } from "./ports/secret-log.ts";
export type { AdoptedTransaction, ReadTx, Storage, WriteTx } from "./ports/storage.ts";
export { requireDocuments, type StoredDocument } from "./ports/stored-document.ts";
export type { ReadTimeline, SeriesKey, Timeline, TimelineEntry, TimelinePoint } from "./ports/timeline.ts";
export type { WebHookClient, WebHookRequest, WebHookResponse, WebHookTargets } from "./ports/web-hook-client.ts";
export type { ClaimOptions, EnqueueOptions, WorkItem, WorkQueue } from "./ports/work.ts";
export {
  type ResetAdministrator,
  type ResetAdministratorOptions,
  resetAdministrator,
} from "./reset-administrator.ts";
export { analyseKeywords, analyseWords, ENTRY_BREAK } from "./search/analyse.ts";
export { analyseText, separateEntries, type TextAnalysis } from "./search/analyse-text.ts";
export { equal, everything, nothing, type SearchNode } from "./search/ast.ts";
export {
  cleanText,
  columnValues,
  indexText,
  isStorableId,
  isWord,
  normaliseValue,
  termSets,
  textWords,
} from "./search/index-values.ts";
export { createSignalbox, type Signalbox, type SignalboxOptions, type TransactionScope } from "./signalbox.ts";
export { endOfJsonText, isOverJsonBounds } from "./wire/json-bounds.ts";
export {
  defineEvent,
  type EventDefinition,
  type EventRun,
  type EventWork,
  type EventWorker,
  type ParamsSchema,
} from "./work/events/define-event.ts";
