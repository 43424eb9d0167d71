import type * as z from "zod";
import type { Awaitable } from "../../lib/turns/awaitable.ts";
import type { Condition } from "../../wire/fields/revision.ts";
import type { NewStamp } from "../../wire/fields/stamps.ts";
import type { Actor, CommandContext, PrepareContext, QueryContext } from "../calls/context.ts";
import type { Accepts, Method, Operation, TakesRecord } from "../calls/operation.ts";

export interface ListSpec<T> {
  readonly summary: string;
  /** Absent = all callers see all records. */
  isShown?(record: T, actor: Actor): boolean;
}

export interface GetSpec<T> {
  readonly summary: string;
  readonly method?: Method;
  /** Absent = `Id`. */
  readonly id?: z.ZodType<string, string>;
  /** Text of the refusal for an unknown id; absent = the text of `findListed`. */
  readonly missing?: (id: string) => string;
  /** Refuses by id alone, before the lookup. */
  check?(id: string, context: QueryContext): void;
  /** Returns the record as answered, or refuses. */
  show?(record: T, context: QueryContext): T;
}

/** Context of a write, with the result of `prepare` if the domain has one. */
export type WriteContext = CommandContext & { readonly prepared?: unknown };

export interface WriteSpec<Input extends z.ZodType> {
  readonly summary: string;
  readonly input: Input;
  /** See `OperationSpec`. */
  shape?(input: z.output<Input>, services: CommandContext["services"]): void;
}

export interface CreateSpec<Input extends z.ZodType, T> extends WriteSpec<Input> {
  /** See `OperationSpec` and `CommandSpec`. */
  readonly accepts?: Accepts;
  readonly together?: true;
  /** Slow work before the transaction, like `prepare` of a command. */
  prepare?(input: z.output<Input>, context: PrepareContext): Promise<unknown>;
  /** Checks the input and builds the record. */
  draft(input: z.output<Input>, stamp: NewStamp, context: WriteContext): Awaitable<T>;
  after?(record: T, context: CommandContext, input: z.output<Input>): Awaitable<void>;
  /** Sentences in the answer about members that were saved but will not work as intended. */
  warnings?(record: T, context: CommandContext): Awaitable<readonly string[]>;
}

export interface UpdateSpec<Input extends z.ZodType, T> extends WriteSpec<Input> {
  /** Slow work before the transaction, like `prepare` of a command. Only `updateAndAnswer` uses it. */
  prepare?(input: z.output<Input>, context: PrepareContext): Promise<unknown>;
  before?(input: z.output<Input>, context: WriteContext): Awaitable<void>;
  /** Returns the changed record; absent = `updateRecord` with everything that was sent. */
  change?(stored: T, input: z.output<Input>, context: WriteContext): T;
  /** `before` is the record as it was stored. */
  after?(record: T, input: z.output<Input>, context: CommandContext, before: T): Awaitable<void>;
  /** Like `warnings` of a new record; only `updateAndAnswer` returns them. */
  warnings?(record: T, context: CommandContext): Awaitable<readonly string[]>;
}

export interface DeleteSpec<T> {
  readonly summary: string;
  before?(id: string, context: CommandContext): Awaitable<void>;
  after?(record: T, context: CommandContext): Awaitable<void>;
}

export interface MultiUpdateSpec<Item, T> extends WriteSpec<z.ZodType<{ readonly items: readonly Item[] }>> {
  before?(items: readonly Item[], context: CommandContext): Awaitable<void>;
  /** Absent = `mergeSparse`. */
  change?(stored: T, item: Item, context: CommandContext): T;
  after?(items: readonly Item[], context: CommandContext): Awaitable<void>;
}

/**
 * Lets callers in code pass a record to its create or its update: entries of a stored record, such as actions, have a wider type
 * than the entries that code may write. At run time nothing differs.
 */
export const takingRecords = <Name extends string, Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Name, Input, Output, "app">,
): Operation<Name, Input & TakesRecord, Output, "app"> => operation as never;

export type Sent = { readonly id: string } & Condition & Readonly<Record<string, unknown>>;
