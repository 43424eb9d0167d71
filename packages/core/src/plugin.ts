/**
 * The API for plugins and transports: operations and their contexts, collections, hooks, services, errors and
 * expressions; and the types that functions of `@signalbox/core` take and answer, which applications seldom name.
 *
 * @module
 */
import "./widened.ts";

/** The converter of schemas for OpenAPI, from the zod of the engine, so that zod is not loaded a second time. */
export { toJSONSchema } from "zod";

export { configSchema } from "./config.ts";
export type { UpdateStream } from "./desk/live/operations.ts";
export type { TicketNote } from "./desk/tickets/model.ts";
export type { PortableDefinition, PortableFile } from "./desk/transfer/rules/definitions.ts";
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
export type { HostReadings } from "./fleet/monitors/rules/host-readings.ts";
export type { ActionOutcome, ActionRun, ActionType } from "./kernel/action-type.ts";
export type { Config } from "./kernel/config.ts";
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
export type { StartReport, StopOptions } from "./kernel/lifecycle.ts";
export type { Loop } from "./kernel/loops.ts";
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
  type SearchableTable,
  type WorkHandler,
} from "./kernel/plugin.ts";
export { FAILURE_CODES, refusalCodes } from "./kernel/refusals.ts";
export { operationKey, type Registry } from "./kernel/registry.ts";
export type { Services } from "./kernel/services.ts";
export type { Snapshot, Transact, TransactOptions, Unit } from "./kernel/unit-of-work.ts";
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
export type { ReadTx, WriteTx } from "./ports/storage.ts";
export type { ResetAdministrator, ResetAdministratorOptions } from "./reset-administrator.ts";
export type { RotateSecretKeyOptions, RotateSecretKeyReport } from "./rotate-secret-key.ts";
export { equal, everything, nothing, type SearchNode } from "./search/ast.ts";
export type { SignalboxWith, TransactionScope } from "./signalbox.ts";
export type { ActionInputs } from "./wire/action-types.ts";
export { requestIdOf } from "./wire/cause.ts";
export type { Json } from "./wire/json.ts";
export { type EntryShape, entryShapeOf } from "./wire/known-members.ts";
export type { LimitInputs } from "./wire/limit-types.ts";
export { nameOfSchema } from "./wire/named.ts";
export { type Shown, shownShapeOf } from "./wire/shown-members.ts";
export type { EventWork, EventWorker, ParamsSchema, TypedEvent } from "./work/events/define-event.ts";
export type { ScheduleInput, TriggerInputs } from "./work/events/rules/trigger-types.ts";
export type { GraphInput } from "./work/graphs/rules/graph-types.ts";
export type { WorkflowPartDefinition } from "./work/workflows/define-workflow.ts";
