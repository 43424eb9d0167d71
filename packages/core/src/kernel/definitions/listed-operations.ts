import * as z from "zod";
import { andThen } from "../../lib/turns/awaitable.ts";
import type { CollectionDefinition, StoredRecord } from "../../ports/storage/collection.ts";
import { Id } from "../../wire/fields/fields.ts";
import { mergeSparse, updateRecord } from "../../wire/fields/stamps.ts";
import { asList, Done, listOf, NoParameters } from "../../wire/schemas/lists.ts";
import { named } from "../../wire/schemas/named.ts";
import { looseObject, object } from "../../wire/schemas/objects.ts";
import type { Actor, CommandContext } from "../calls/context.ts";
import { type Access, camelCase, credentials, defineCommand, defineQuery, privilege } from "../calls/operation.ts";
import { DomainError } from "../errors/errors.ts";
import type { SignalboxEvents } from "../plugins/events.ts";
import { deleteListed, findListed, insertListed, type Listed, updateListed } from "./listed.ts";
import {
  type CreateSpec,
  type DeleteSpec,
  type GetSpec,
  type ListSpec,
  type MultiUpdateSpec,
  type Sent,
  takingRecords,
  type UpdateSpec,
  type WriteContext,
  type WriteSpec,
} from "./listed-specs.ts";

/** One kind of definition, and the words for its operations, privileges, errors, rows and events. */
interface Kind<Name extends string, Plural extends string, S extends z.ZodType<StoredRecord>>
  extends Pick<Listed<StoredRecord>, "most"> {
  readonly collection: CollectionDefinition<z.output<S>>;
  readonly record: S;
  /**
   * "web_hook": used in `create_web_hook` and `web_hook.created`, and for the member of answers and rows that holds the record.
   */
  readonly name: Name;
  /** "web_hooks": used in `get_web_hooks` and the privilege `edit_web_hooks`. */
  readonly plural: Plural;
  /** "web hook", as in "Failed to update web hook: …"; absent = `name`. */
  readonly thing?: string;
  /** Prefix of generated ids. */
  readonly prefix: string;
  /** The right to write; absent = one privilege per verb. */
  readonly writers?: Access;
  /** Codes of additional refusals of changes, besides `name`. */
  readonly refuses?: readonly string[];
  /** Text of the refusal when an id is taken; absent = the text of `insertListed`. */
  readonly taken?: (id: string) => string;
}

type Warned<Name extends string, S extends z.ZodType> = z.ZodObject<
  { [K in Name]: S } & { warnings: z.ZodOptional<z.ZodArray<z.ZodString>> }
>;

/**
 * Either each change has its own event with the id, `<name>.created` … `<name>.deleted`, or all changes emit the event named
 * here, with the record.
 */
type Events<Name extends string> =
  `${Name}.${(typeof WRITES)[keyof typeof WRITES]["done"]}` extends keyof SignalboxEvents
    ? { readonly event?: undefined }
    : { readonly event: keyof SignalboxEvents };

const ById = looseObject(() => ({ id: Id }));

/**
 * The operations that all kinds of definitions have. For each, a domain declares only its own part: checks before the write, the
 * record to store, and side effects. It may also write any of them itself.
 */
export class ListedOperations<
  const Name extends string,
  const Plural extends string,
  S extends z.ZodType<StoredRecord>,
  T extends z.output<S> = z.output<S>,
> {
  readonly #kind: Kind<Name, Plural, S> & { readonly event?: string | undefined };
  readonly #listed: Listed<T>;
  readonly #answer: z.ZodObject<{ [K in Name]: S }>;

  constructor(kind: Kind<Name, Plural, S> & Events<Name>) {
    this.#kind = kind;
    named(camelCase(`_${kind.name}`), kind.record);
    const { most, name: code, thing = code } = kind;
    this.#listed = { collection: kind.collection as never, code, thing, ...(most === undefined ? {} : { most }) };
    this.#answer = object(() => ({ [kind.name]: kind.record })) as never;
  }

  /** The error with which a rule of the domain refuses a write. */
  refusal = (text: string, reason: "malformed" | "conflict" = "malformed"): DomainError =>
    new DomainError(this.#kind.name, reason, text);

  list({ summary, isShown }: ListSpec<T>) {
    const shownTo = (all: readonly T[], actor: Actor) => (isShown ? all.filter((each) => isShown(each, actor)) : all);
    return defineQuery({
      name: `get_${this.#kind.plural}`,
      summary,
      access: credentials,
      input: NoParameters,
      output: listOf(this.#kind.record),
      handler: (_input, { actor, definitions }) =>
        andThen(definitions.all(this.#listed.collection), (all) => asList(shownTo(all, actor)) as never),
    });
  }

  get({ summary, method = "GET", id: idSchema = Id, missing, check, show }: GetSpec<T>) {
    return defineQuery({
      name: `get_${this.#kind.name}`,
      method,
      summary,
      access: credentials,
      refuses: ["notfound"],
      input: looseObject(() => ({ id: idSchema })),
      output: this.#answer,
      handler: ({ id }, context) => {
        check?.(id, context);
        return andThen(findListed(context.definitions, this.#listed, id, missing), (record) =>
          this.#answerOf(show ? show(record, context) : record),
        );
      },
    });
  }

  create<Input extends z.ZodType<{ readonly id?: string | undefined }>>(spec: CreateSpec<Input, T>) {
    return takingRecords(
      defineCommand({
        ...this.#command("create", spec),
        output: this.#answerWith(spec),
        ...(spec.accepts && { accepts: spec.accepts }),
        ...(spec.together && { together: spec.together }),
        ...(spec.prepare && { prepare: spec.prepare }),
        handler: async (input, context) => {
          const { actor, ids, now, tx } = context;
          const id = input.id ?? ids.short(this.#kind.prefix);
          const record = await spec.draft(input, { id, username: actor.id, now }, context);
          await insertListed(tx, this.#listed, record, this.#kind.taken);
          await spec.after?.(record, context, input);
          this.#tell("create", record, context);
          return this.#answerOf(record, await spec.warnings?.(record, context));
        },
      }),
    );
  }

  /** Answers only success. */
  update<Input extends z.ZodType<Sent>>(spec: UpdateSpec<Input, T>) {
    return takingRecords(
      defineCommand({
        ...this.#command("update", spec),
        output: Done,
        handler: (input, context) => this.#update(spec, input, context).then(() => ({})),
      }),
    );
  }

  /** Answers the updated record. */
  updateAndAnswer<Input extends z.ZodType<Sent>>(spec: UpdateSpec<Input, T>) {
    return takingRecords(
      defineCommand({
        ...this.#command("update", spec),
        output: this.#answerWith(spec),
        ...(spec.prepare && { prepare: spec.prepare }),
        handler: async (input, context) => {
          const record = await this.#update(spec, input, context);
          return this.#answerOf(record, await spec.warnings?.(record, context));
        },
      }),
    );
  }

  delete(spec: DeleteSpec<T>) {
    return defineCommand({
      ...this.#command("delete", { ...spec, input: ById }),
      output: Done,
      handler: async ({ id }, context) => {
        await spec.before?.(id, context);
        const record = await deleteListed(context.tx, this.#listed, id);
        await spec.after?.(record, context);
        this.#tell("delete", record, context);
        return {};
      },
    });
  }

  /** Changes several records without changing their timestamps. Unknown ids are skipped. */
  multiUpdate<Item extends Sent>(spec: MultiUpdateSpec<Item, T>) {
    const { input, before, change = mergeSparse, after } = spec;
    return defineCommand({
      ...this.#command("multi_update", { ...spec, input }),
      example: { items: [{ id: "last_one", sort_order: 9 }] } as never,
      output: Done,
      handler: async ({ items }, context) => {
        await before?.(items, context);
        const records = context.tx.collection(this.#listed.collection);
        for (const item of items) {
          if (!(await records.get(item.id))) continue;
          const record = await updateListed(context.tx, this.#listed, item, (stored) => change(stored, item, context));
          this.#emit("updated", record, context);
        }
        await after?.(items, context);
        const updated = Object.keys(items[0] ?? {}).filter((member) => member !== "id" && member !== "if_revision");
        context.audit(`${this.#kind.name}_multi_update`, { description: "", updated });
        return {};
      },
    });
  }

  #command<V extends keyof typeof WRITES, Input extends z.ZodType>(verb: V, spec: WriteSpec<Input>) {
    const { name, plural, refuses = [], writers } = this.#kind;
    return {
      name: `${verb}_${name}` as const,
      summary: spec.summary,
      access: writers ?? privilege(`${WRITES[verb].privilege}_${plural}`),
      refuses: [name, ...refuses],
      input: spec.input,
      ...(spec.shape && { shape: spec.shape }),
    } as const;
  }

  async #update<Input extends z.ZodType<Sent>>(
    { before, change, after }: UpdateSpec<Input, T>,
    input: z.output<Input>,
    context: WriteContext,
  ): Promise<T> {
    await before?.(input, context);
    let known: T | undefined;
    const record = await updateListed(context.tx, this.#listed, input, (stored) => {
      known = stored;
      return change ? change(stored, input, context) : updateRecord(stored, input, context.now);
    });
    await after?.(record, input, context, known ?? record);
    this.#tell("update", record, context);
    return record;
  }

  #answerWith(spec: { readonly warnings?: unknown }): Warned<Name, S> {
    if (!spec.warnings) return this.#answer as never;
    return object(() => ({ ...this.#answer.shape, warnings: z.array(z.string()).optional() })) as never;
  }

  #answerOf = (record: T, warnings?: readonly string[]) => {
    const answer = { [this.#kind.name]: record };
    return (warnings?.length ? { ...answer, warnings } : answer) as never;
  };

  /** Writes the activity row and emits the event of a change. */
  #tell(verb: "create" | "update" | "delete", record: T, context: CommandContext): void {
    context.audit(`${this.#kind.name}_${verb}`, { [this.#kind.name]: record });
    this.#emit(WRITES[verb].done, record, context);
  }

  #emit(done: string, record: T, { emit }: CommandContext): void {
    const { event, name } = this.#kind;
    const { id } = record;
    (emit as (event: string, payload: object) => void)(event ?? `${name}.${done}`, event ? record : { id });
  }
}

const WRITES = {
  create: { privilege: "create", done: "created" },
  update: { privilege: "edit", done: "updated" },
  delete: { privilege: "delete", done: "deleted" },
  multi_update: { privilege: "edit", done: "updated" },
} as const;
