import {
  type Actor,
  type AnyOperation,
  type HostUser,
  InputError,
  type OperationCall,
  type Reply,
  SessionError,
  SignalboxError,
  type StreamResult,
} from "@signalbox/core/plugin";
import { takeRoom } from "./answer/long-answer.ts";
import { createOutput, type Output, type SuccessForm } from "./answer/output.ts";
import type { Answer } from "./answer/plain-answer.ts";
import { streamResponse } from "./answer/streams.ts";
import { bodySource } from "./body/body.ts";
import { type CallHeaders, type CallRequest, wholeRequest } from "./caller/call-request.ts";
import { createClient, type Exchange } from "./caller/client.ts";
import { isFromForeignPage } from "./caller/cors.ts";
import { type Admission, createAdmission } from "./input/admission.ts";
import {
  type CallInput,
  changesState,
  credentialsOf,
  type InputSource,
  isRead,
  readBodyInput,
  readQueryInput,
} from "./input/input.ts";
import { parseQuery, type Query } from "./input/query.ts";
import type { Target } from "./paths.ts";
import type { Settings } from "./settings.ts";

interface Call {
  readonly context: Exchange;
  readonly target: Target;
  readonly operation: AnyOperation;
  /** The end of the path, which belongs to the router. */
  readonly tail: string;
  /** The caller, as soon as it is known. */
  caller?: Actor;
  /** Headers that the operation sends with its answer. */
  headers?: Record<string, string>;
  /** Frees the room of an answer that became long. */
  room?: () => void;
}

export interface Dispatcher {
  /** Runs the operation of a path; `extra` are parameters contained in the path itself. */
  run(
    context: Exchange,
    target: Target,
    tail: string,
    extra?: Readonly<Record<string, string>>,
  ): Answer | Promise<Answer>;
  /** Answers an error that belongs to no operation. */
  refuse(context: Exchange, error: SignalboxError, versioned: boolean): Answer;
  readonly output: Output;
}

export function createDispatcher(settings: Settings): Dispatcher {
  const output = createOutput(settings);
  const perform = createPerform(settings, output);

  function failed(error: unknown, call: Omit<Call, "operation">, { pretty }: Query): Answer {
    const { headers, target } = call;
    const requestId = settings.ids.short("q");
    const known = asSignalboxError(error, requestId);
    logFailure(known, { requestId, unexpected: known !== error }, call, settings);
    return output.failure(known, { versioned: target.versioned, pretty, headers });
  }

  const unsupported = (call: Omit<Call, "operation">, query: Query): Answer =>
    failed(new InputError(`Unsupported API: ${call.target.label}`, { status: 404 }), call, query);

  return {
    output,
    refuse: (context, error, versioned) =>
      output.failure(error, { versioned, pretty: parseQuery(context.req.raw.url).pretty }),
    run(context, target, tail, extra) {
      count(context.req.raw, settings);
      const sent = parseQuery(context.req.raw.url);
      const query = extra ? { ...sent, parameters: { ...sent.parameters, ...extra } } : sent;
      const { operation } = target;
      if (!operation) return unsupported({ context, target, tail }, query);
      const call: Call = { context, target, operation, tail };
      const fail = (error: unknown): Answer => failed(error, call, query);
      try {
        const input = inputOf(call, query, settings);
        const answer =
          input instanceof Promise ? input.then((read) => perform(call, read, query)) : perform(call, input, query);
        return answer instanceof Promise ? answer.catch(fail) : answer;
      } catch (error) {
        return fail(error);
      }
    },
  };
}

function inputOf(call: Call, query: Query, settings: Settings): CallInput | Promise<CallInput> {
  const { context, operation } = call;
  const request = context.req.raw;
  if (isRead(request.method)) return readQueryInput({ operation, request, query });
  const source = { operation, request, query, openAdmission: () => admissionOf(call, source, settings) };
  return readBodyInput(source, bodySource(context.req, context.env), settings);
}

/** Counts a request. Bodies of unknown length count as 0: they are chunked uploads, which are rare. */
function count({ headers, method }: CallRequest, { traffic }: Settings): void {
  traffic.requests += 1;
  if (!isRead(method)) traffic.bytesIn += Number(headers.get("content-length") ?? 0) || 0;
}

/** Admits the sender by the request headers alone; the body may add to them. */
async function admissionOf(call: Call, source: InputSource, settings: Settings): Promise<Admission> {
  const { context, operation, target } = call;
  const { engine, options } = settings;
  const hostUser = await options.resolveUser?.(wholeRequest(context.req.raw), context.env);
  const client = createClient(call, settings);
  const admission = createAdmission({
    operation,
    admit: async (members) => {
      const credentials = credentialsOf(source, members);
      const input = { ...source.query.parameters, ...members };
      const known = { ...(hostUser ? { hostUser } : {}), ...(credentials ? { credentials } : {}) };
      return engine.admit({ operation: target.key, input, client, ...known });
    },
  });
  await admission.ask({});
  return admission;
}

type Perform = (call: Call, input: CallInput, query: Query) => Answer | Promise<Answer>;

function createPerform(settings: Settings, output: Output): Perform {
  const { engine } = settings;

  /** Whether a call is a stream, or has uploads to remove. */
  const isSpecial = ({ kind }: AnyOperation, { discard }: CallInput): boolean =>
    kind === "stream" || discard !== undefined;

  /** Must not hold a reference to the input while it waits: an operation may have released it (`leavesInput`). */
  function performCarefully(call: Call, input: CallInput, query: Query): Promise<Answer> {
    if (call.operation.kind === "stream") return performStream(call, input, settings);
    const { discard } = input;
    return new Promise<Answer>((resolve) => resolve(performAsked(call, input, query))).finally(discard);
  }

  function performAsked(call: Call, input: CallInput, query: Query): Answer | Promise<Answer> {
    const plain = asked(call, input);
    if (!(plain instanceof Promise)) return performPlainly(call, plain, query);
    return plain.then((known) => performPlainly(call, known, query));
  }

  const asked = (call: Call, input: CallInput) => withHostUser(operationCall(call, input, settings), call, settings);

  function performPlainly(call: Call, plain: OperationCall, query: Query): Answer | Promise<Answer> {
    const answer = engine.dispatch(plain);
    if (!(answer instanceof Promise)) return output.success(answer, formOf(call, query));
    return answer.then((members) => output.success(members, formOf(call, query)));
  }

  // A call that awaits nothing is answered in the turn in which it arrived: neither we nor Hono nor the server below create a
  // promise.
  return (call, input, query) => {
    if (isSpecial(call.operation, input)) return performCarefully(call, input, query);
    return performAsked(call, input, query);
  };
}

const formOf = ({ context, headers, operation, room }: Call, { pretty }: Query): SuccessForm => ({
  pretty,
  accepted: context.req.raw.headers,
  headers,
  env: context.env,
  head: context.req.raw.method === "HEAD",
  isDone: operation.kind === "command",
  room,
});

async function performStream(call: Call, input: CallInput, settings: Settings): Promise<Response> {
  const { raw } = call.context.req;
  const abort = new AbortController();
  const forward = (): void => abort.abort();
  raw.signal.addEventListener("abort", forward, { once: true });
  settings.openStreams.add(abort);
  const onEnd = (): void => {
    raw.signal.removeEventListener("abort", forward);
    settings.openStreams.delete(abort);
    // Uploads may still be read while the answer is written.
    void input.discard?.();
  };
  try {
    const plain = { ...operationCall(call, input, settings), signal: abort.signal };
    const result = (await settings.engine.dispatch(await withHostUser(plain, call, settings))) as StreamResult;
    return streamResponse(result, { head: raw.method === "HEAD", env: call.context.env, abort, onEnd }, settings);
  } catch (error) {
    onEnd();
    throw error;
  }
}

function operationCall(origin: Call, input: CallInput, settings: Settings): OperationCall {
  const { context, target, operation } = origin;
  const call: Mutable<OperationCall> = {
    operation: target.key,
    input: input.parameters,
    client: createClient(origin, settings),
    uploads: input.uploads,
  };
  if (input.actor) call.actor = input.actor;
  if (input.credentials) call.credentials = input.credentials;
  if (isStrict(context.req.raw.headers)) call.strict = true;
  // Only operations that wait outside of their transaction read the signal; creating it would be wasted on all others.
  if (operation.afterCommit ?? operation.prepare ?? operation.abortable) call.signal = context.req.raw.signal;
  if (operation.namespace === "user" || operation.kind === "query") call.reply = replyOf(origin, settings);
  else if (operation.afterCommit) call.reply = { ...replyOf(origin, settings), leavesInput: leaving(call, input) };
  if (settings.logsRefusals)
    call.identified = (actor) => {
      origin.caller = actor;
    };
  return call;
}

function leaving(call: Mutable<OperationCall>, { discard }: CallInput): () => void {
  return () => {
    delete call.input;
    void discard?.();
  };
}

const replyOf = (origin: Call, settings: Settings): Reply => ({
  takesTexts: true,
  setHeader(name, value) {
    origin.headers = { ...origin.headers, [name.toLowerCase()]: value };
  },
  becomesLong() {
    origin.room ??= takeRoom(settings, { env: origin.context.env });
  },
});

/** Whether this call wants to be refused if the operation does not know a parameter. */
function isStrict(headers: CallHeaders): boolean {
  const value = headers.get("x-strict");
  return value === "1" || value === "true";
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Adds the user whom the host has signed in. Throws `SessionError` if a link could make that user change something. */
function withHostUser(
  call: OperationCall,
  origin: Call,
  { options }: Settings,
): OperationCall | Promise<OperationCall> {
  // The caller was identified before the body was read.
  if (call.actor || !options.resolveUser) return call;
  const { raw } = origin.context.req;
  const hostUser = options.resolveUser(wholeRequest(raw), origin.context.env);
  if (hostUser && typeof hostUser === "object" && "then" in hostUser)
    return Promise.resolve(hostUser).then((user) => callOf(user, call, origin));
  return callOf(hostUser, call, origin);
}

function callOf(hostUser: HostUser | undefined, call: OperationCall, { context, operation }: Call): OperationCall {
  if (!hostUser) return call;
  const { raw } = context.req;
  // The host may recognise its caller by what browsers send automatically: a cookie, a password, a certificate. A link or an
  // image on a foreign page would send that too.
  if (isRead(raw.method) && changesState(operation) && (raw.headers.has("cookie") || isFromForeignPage(raw))) {
    // A magic link in a mail is open to everybody and needs no user.
    if (operation.access.kind === "anyone") return call;
    throw new SessionError("Invalid session");
  }
  // Assigned instead of copied: a copy would retain an input that the operation has released.
  return Object.assign(call, { hostUser });
}

function asSignalboxError(error: unknown, requestId: string): SignalboxError {
  if (error instanceof SignalboxError) return error;
  return new SignalboxError("internal", `Internal server error (${requestId})`, { cause: error });
}

/** Query and path suffix may be credentials (tokens of links), so neither is logged. */
function logFailure(
  { code, description, cause }: SignalboxError,
  { requestId, unexpected }: { requestId: string; unexpected: boolean },
  call: Omit<Call, "operation">,
  settings: Settings,
): void {
  if (!settings.logsRefusals) return;
  const { target, caller } = call;
  const { ip, ips, method } = createClient(call, settings);
  const where = { operation: target.key, method, url: `${settings.apiBase}/${target.label}`, ip, ips };
  const fields = { requestId, code, description, ...where, ...(caller?.id ? { username: caller.id } : {}) };
  if (unexpected) settings.log.error({ ...fields, error: cause }, "A request failed unexpectedly");
  else settings.log.warn(fields, "A call was refused");
}
