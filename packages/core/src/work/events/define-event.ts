import { SignalboxError } from "../../kernel/errors/errors.ts";
import type { HostEvent } from "../../kernel/plugins/plugin.ts";
import { isObject } from "../../lib/json/is-object.ts";
import { OptionError } from "../../lib/process/check-options.ts";
import type { HostFunction, HostFunctionCall } from "../../ports/agents/agent-transport.ts";
import {
  COMMON_NAMES,
  type CommonMembers,
  checkCommon,
  checkIdentity,
  checkNames,
  type Placement,
  recordOf,
} from "./in-code.ts";
import { checkEventShape } from "./rules/record/event-shape.ts";

/** A schema that checks parameters: any library that speaks Standard Schema v1 (zod, valibot, arktype). */
export interface ParamsSchema<Output> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
  };
}

/** The answer of a schema: the value that it produced, or its issues. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One problem that a schema found, and where. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Argument of an event's function, in this thread or in a worker thread. */
export interface EventRun<Params, Input = Members> extends Omit<HostFunctionCall, "params" | "jobId" | "inWorker"> {
  /** Checked and converted by the schema. */
  readonly params: Params;
  /** Input data of the job, checked and converted by the schema. */
  readonly data: Input;
  readonly job: { readonly id: string; readonly event: string };
}

/** An event with the types of its jobs' input and output, which the wires of a workflow check. */
export interface TypedEvent<Input, Output> extends HostEvent {
  readonly run: HostFunction;
  /** Exists only for types. */
  readonly "~data"?: { readonly input: Input; readonly output: Output } | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** Argument of `defineEvent`; limits, actions and triggers have the shapes of the wire (docs/contract/events.md). */
export type EventDefinition<Params, Input = Members, Output = unknown> = EventMembers<Params> & {
  /** Checks the input data of a job before the function runs. */
  readonly input?: ParamsSchema<Input>;
} & EventWork<Params, Input, Output>;

/** The function of an event: given here, or as a module that a worker thread loads. */
export type EventWork<Params, Input = Members, Output = unknown> =
  | {
      /** The result becomes the output data of the job; an exception fails it. */
      readonly run: (run: EventRun<Params, Input>) => Output;
      readonly worker?: undefined;
    }
  | { readonly worker: EventWorker; readonly run?: undefined };

/** A function for heavy work, which would block this thread. */
export interface EventWorker {
  /** Address of the module: `new URL("./resize.js", import.meta.url)`. Only the worker thread loads it. */
  readonly module: URL | string;
  /** Name under which the module exports the function, which takes an `EventRun`. Default: "run". */
  readonly export?: string;
}

interface EventMembers<Params> extends CommonMembers, Placement {
  readonly params?: ParamsSchema<Params>;
}

/**
 * Declares an event whose work is a function of this program; give it to `createSignalbox({ events })`. Throws `Error` with the
 * API's error text when a member is malformed.
 * @see docs/contract/events.md#record
 *
 * @example
 * const nightlyReport = defineEvent({
 *   id: "nightly_report",
 *   title: "Nightly report",
 *   schedule: "0 3 * * *",
 *   params: z.object({ region: z.string().default("eu") }),
 *   run: async ({ params, log }) => log(`Reported ${params.region}`),
 * });
 */
export function defineEvent<Params = Record<string, unknown>, Input = Members, Output = unknown>(
  definition: EventDefinition<Params, Input, Output>,
): TypedEvent<Input, Awaited<Output>> {
  const { id, title } = Object(definition) as typeof definition;
  const unknown = checkNames(definition, NAMES, "{ id, title, run }");
  const misgiven = unknown ?? checkSchemas(definition) ?? checkCommon(definition);
  if (misgiven !== undefined) throw new OptionError(`Event ${String(id)}: ${misgiven}`);
  const record = recordOf(definition);
  const fault = checkIdentity(id, title) ?? checkWork(definition) ?? checkEventShape(record, { sparse: false });
  if (fault !== undefined) throw new Error(`Event ${String(id)}: ${fault}`);
  const { worker } = definition;
  const source = worker ? `${worker.module} ${worker.export ?? "run"}` : String(definition.run);
  const run = definition.worker ? runInWorker(definition) : runHere(definition);
  return { id, title, record, source, run, paramsFault: paramsFaultOf(definition.params) };
}

const NAMES = [...COMMON_NAMES, "targets", "algo", "params", "input", "run", "worker"];

/** Refuses plain values in place of a schema, because they would check nothing. */
function checkSchemas(definition: { readonly params?: unknown; readonly input?: unknown }): string | undefined {
  const isSchema = (value: unknown): boolean => typeof Object(Object(value)["~standard"]).validate === "function";
  const wrong = (["params", "input"] as const).find((name) => {
    const value = definition[name];
    return value !== undefined && !isSchema(value);
  });
  return wrong && `${wrong} is no schema: give one, such as z.object({ … }), and values to begin with as defaults`;
}

type Definition<Params, Input, Kind> = EventMembers<Params> & { readonly input?: ParamsSchema<Input> } & Extract<
    EventWork<Params, Input>,
    Kind
  >;

const runHere =
  <Params, Input>({ id, params, input, run }: Definition<Params, Input, { run: object }>): HostFunction =>
  async ({ jobId, params: given, inWorker: _threads, ...call }) => {
    const checked = { params: await checkParams(params, given), data: await checkInput(input, call.input) };
    return run({ ...call, ...checked, job: { id: jobId, event: id } });
  };

function runInWorker<Params, Input>(definition: Definition<Params, Input, { worker: object }>): HostFunction {
  const { id: event, params: schema, input: inputSchema, worker } = definition;
  const target = { module: String(worker.module), export: worker.export ?? "run", event };
  return async ({ params: given, input, inWorker }) => {
    // Checked in this thread, because a schema contains functions, which cannot be sent to a worker thread.
    const params = await checkParams(schema, given);
    const data = await checkInput(inputSchema, input);
    if (!inWorker) throw new SignalboxError("worker", "The agent of this program cannot run functions in threads");
    return inWorker({ ...target, params, data });
  };
}

function checkWork({ run, worker }: { readonly run?: unknown; readonly worker?: unknown }): string | undefined {
  if ((run === undefined) === (worker === undefined)) return "either run or worker is needed";
  if (worker === undefined) return typeof run === "function" ? undefined : "run is not a function";
  const { module, export: name = "run" } = Object(worker) as { readonly module?: unknown; readonly export?: unknown };
  if (!/^(?:file|data):/.test(String(module)))
    return 'worker.module is not an address, such as new URL("./work.js", import.meta.url)';
  return typeof name === "string" && name !== "" ? undefined : "worker.export is not a name";
}

const PARAMS = { code: "params", noun: "Parameter" } as const;

const checkParams = <Params>(schema: ParamsSchema<Params> | undefined, params: unknown): Promise<Params> =>
  checkWith(schema, params ?? {}, PARAMS);

const checkInput = <Input>(schema: ParamsSchema<Input> | undefined, input: unknown): Promise<Input> =>
  checkWith(schema, (isObject(input) ? input["data"] : undefined) ?? {}, { code: "input", noun: "Input" });

async function checkWith<Value>(
  schema: ParamsSchema<Value> | undefined,
  value: unknown,
  { code, noun }: { readonly code: string; readonly noun: string },
): Promise<Value> {
  // Without a schema, the function gets the launch's value unchecked.
  if (!schema) return value as Value;
  const result = await schema["~standard"].validate(value);
  if (!result.issues) return result.value;
  throw new SignalboxError(code, sentenceOf(result.issues, { code, noun }));
}

function sentenceOf([issue]: readonly SchemaIssue[], { code, noun }: { code: string; noun: string }): string {
  const where = (issue?.path ?? []).map((step) => String(typeof step === "object" ? step.key : step)).join(".");
  return `${noun} '${where || code}': ${issue?.message ?? "is invalid"}`;
}

/**
 * Checks the parameters of a launch. An asynchronous schema is checked only when the job runs, so that a launch does not wait for
 * the host.
 */
const paramsFaultOf = (schema: ParamsSchema<unknown> | undefined) =>
  schema &&
  ((params: unknown): string | undefined => {
    const result = schema["~standard"].validate(params);
    if (!(result instanceof Promise)) return result.issues && sentenceOf(result.issues, PARAMS);
    result.catch(() => undefined);
    return undefined;
  });
