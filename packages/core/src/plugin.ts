/**
 * The API for plugins and transports: operations and their contexts, collections, hooks, services, errors and expressions; and
 * the parameter and result types of the functions of `@signalbox/core`, which applications seldom name.
 *
 * @module
 */
import "./engine/widened.ts";

/** Zod's schema converter for OpenAPI, from the engine's own zod, so that zod is not loaded twice. */
export { toJSONSchema } from "zod";
export type { UpdateStream } from "./desk/live/operations.ts";
export type { TicketNote } from "./desk/tickets/model.ts";
export type { PortableDefinition, PortableFile } from "./desk/transfer/rules/definitions.ts";
export { configSchema } from "./engine/config.ts";
export type { SignalboxWith, TransactionScope } from "./engine/signalbox.ts";
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
export type { QuickMonitor } from "./fleet/monitors/config.ts";
export type { HostReadings } from "./fleet/monitors/rules/minutes/host-readings.ts";
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
} from "./kernel/calls/context.ts";
export type { Gatekeeper } from "./kernel/calls/gatekeeper.ts";
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
  type Namespace,
  type Operation,
  type OperationKind,
  type OperationSpec,
  privilege,
  type StreamResult,
  type TakesRecord,
  token,
  type UnknownMembers,
  unchecked,
} from "./kernel/calls/operation.ts";
export type { Execute, OperationCall } from "./kernel/calls/pipeline.ts";
export { operationKey, type Registry } from "./kernel/calls/registry.ts";
export type { Config } from "./kernel/config/config.ts";
export type { Cradle, Kernel, Ports } from "./kernel/container.ts";
export type { Definitions } from "./kernel/definitions/definitions.ts";
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
} from "./kernel/errors/errors.ts";
export { FAILURE_CODES, refusalCodes } from "./kernel/errors/refusals.ts";
export type { ActionOutcome, ActionRun, ActionType } from "./kernel/plugins/action-type.ts";
export type { EventBus } from "./kernel/plugins/event-bus.ts";
export type { SignalboxEvents } from "./kernel/plugins/events.ts";
export type { OperationHook } from "./kernel/plugins/hooks.ts";
export {
  definePlugin,
  type HostEvent,
  type MonitorDataType,
  type OperationsOf,
  type Plugin,
  type SearchableTable,
  type WorkHandler,
} from "./kernel/plugins/plugin.ts";
export type { Services } from "./kernel/plugins/services.ts";
export type { StartReport, StopOptions } from "./kernel/running/lifecycle.ts";
export type { Loop } from "./kernel/running/loops.ts";
export type { Snapshot, Transact, TransactOptions, Unit } from "./kernel/transactions/unit-of-work.ts";
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
} from "./ports/storage/collection.ts";
export type { ReadTx, WriteTx } from "./ports/storage/storage.ts";
export type { ResetAdministrator, ResetAdministratorOptions } from "./reset-administrator.ts";
export type { RotateSecretKeyOptions, RotateSecretKeyReport } from "./rotate-secret-key.ts";
export { equal, everything, nothing, type SearchNode } from "./search/ast.ts";
export { requestIdOf } from "./wire/cause.ts";
export type { ActionInputs } from "./wire/entries/action-types.ts";
export type { LimitInputs } from "./wire/entries/limit-types.ts";
export type { Json } from "./wire/schemas/json.ts";
export { type EntryShape, entryShapeOf } from "./wire/schemas/known-members.ts";
export { nameOfSchema } from "./wire/schemas/named.ts";
export { type Shown, shownShapeOf } from "./wire/schemas/shown-members.ts";
export type { EventWork, EventWorker, ParamsSchema, TypedEvent } from "./work/events/define-event.ts";
export { type CronTrigger, parseCron } from "./work/events/rules/triggers/cron.ts";
export type { ScheduleInput, TriggerInputs } from "./work/events/rules/triggers/trigger-types.ts";
export type { GraphInput } from "./work/graphs/rules/graph-types.ts";
export type { WorkflowPartDefinition } from "./work/workflows/define-workflow.ts";
