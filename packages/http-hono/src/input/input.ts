import { type Actor, type AnyOperation, type Credentials, SessionError, type Upload } from "@signalbox/core/plugin";
import type { BodySource } from "../body/body.ts";
import { readBody } from "../body/read-body.ts";
import type { CallRequest } from "../caller/call-request.ts";
import { readCredentials, withoutCredentials } from "../caller/credentials.ts";
import { parseJsonObject, tryJsonObject } from "../json/json.ts";
import type { Settings } from "../settings.ts";
import type { Admission } from "./admission.ts";
import { collectFields, malformed } from "./form.ts";
import { type FormBody, readMultipart } from "./multipart.ts";
import { parseForm, type Query } from "./query.ts";

export interface CallInput {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly credentials: Credentials | undefined;
  readonly uploads: readonly Upload[];
  /** Removes temporary uploads and frees the room of a long body; absent when there is neither. */
  readonly discard: (() => Promise<void>) | undefined;
  /** The caller, if it had to be identified before the body. */
  readonly actor?: Actor | undefined;
}

export interface InputSource {
  readonly operation: AnyOperation;
  readonly request: CallRequest;
  readonly query: Query;
}

const NO_UPLOADS: readonly Upload[] = [];
/** Most bytes of a form, because its escapes are decoded in one go. Longer forms are sent as multipart. */
const MAX_FORM_BYTES = 1_048_576;
const NO_MEMBERS: Readonly<Record<string, unknown>> = Object.freeze({});

export const isRead = (method: string): boolean => method === "GET" || method === "HEAD";

/**
 * Parameters and credentials of a GET or HEAD (docs/contract/requests.md#methods). Always synchronous, because reads are most of
 * the traffic.
 */
export function readQueryInput(source: InputSource): CallInput {
  const { operation, query } = source;
  const parameters = operation.parameters === "body" ? NO_MEMBERS : seenBy(operation, query);
  const credentials = credentialsOf(source, NO_MEMBERS);
  return {
    parameters,
    credentials: credentials?.sessionFromCookie ? guardAmbient(operation, parameters, credentials) : credentials,
    uploads: NO_UPLOADS,
    discard: undefined,
  };
}

export interface BodyInput extends InputSource {
  /** Identifies the sender of a body that is longer than a stranger's may be. */
  openAdmission(): Promise<Admission>;
}

/** Parameters, credentials and files of every other method. Throws `InputError`; temporary files have been removed by then. */
export async function readBodyInput(source: BodyInput, body: BodySource, settings: Settings): Promise<CallInput> {
  const { operation, query } = source;
  const form = await readMembers(body, source, settings);
  try {
    const credentials = credentialsOf(source, form.members);
    const sent = withoutCredentials(form.members);
    return { parameters: mergeParameters(operation, sent, query), credentials, ...uploadsOf(form) };
  } catch (error) {
    await form.discard?.();
    throw error;
  }
}

function uploadsOf({ uploads, discard, actor }: Body): Pick<CallInput, "uploads" | "discard" | "actor"> {
  return actor ? { uploads: uploads ?? NO_UPLOADS, discard, actor } : { uploads: uploads ?? NO_UPLOADS, discard };
}

/** Public operations ignore credentials, so none are read for them. */
export function credentialsOf({ operation, query, request }: InputSource, members: Readonly<Record<string, unknown>>) {
  if (operation.access.kind === "anyone") return undefined;
  return readCredentials({ headers: request.headers, body: members, query: query.sent });
}

/** The query without parameters of the transport; an export has its own `format` (docs/contract/search.md#export). */
function seenBy({ input }: AnyOperation, { parameters, sent }: Query): Readonly<Record<string, unknown>> {
  if (sent["format"] === undefined) return parameters;
  const { shape } = input as { readonly shape?: object };
  return shape && Object.hasOwn(shape, "format") ? { ...parameters, format: sent["format"] } : parameters;
}

/**
 * The query overrides the body; operations with files only use query parameters that are missing in their form
 * (docs/contract/files.md#uploads).
 */
function mergeParameters(
  operation: AnyOperation,
  sent: Record<string, unknown>,
  query: Query,
): Record<string, unknown> {
  const { parameters, files, wholeBody } = operation;
  if (wholeBody !== undefined && query.parameters[wholeBody] !== undefined)
    return { ...query.parameters, [wholeBody]: sent };
  if (parameters === "merged") return { ...sent, ...seenBy(operation, query) };
  return files || parameters === "layered" ? { ...query.parameters, ...sent } : sent;
}

/** True for operations that a link on a foreign page must not be able to run. */
export const changesState = ({ kind, method }: AnyOperation): boolean =>
  method === "POST" || (method === "ANY" && kind === "command");

/**
 * Refuses a GET that changes something if a cookie is the only credential
 * (docs/contract/requests.md#a-get-that-changes-something). A key or token in the same request is a deliberate act, and the only
 * credential used. Missing parameters are reported before the caller is identified.
 */
function guardAmbient(
  operation: AnyOperation,
  parameters: unknown,
  { apiKey, ...rest }: Credentials,
): Credentials | undefined {
  if (!changesState(operation)) return apiKey === undefined ? rest : { apiKey, ...rest };
  if (apiKey !== undefined) return { apiKey };
  if (operation.access.kind === "token") return {};
  if (operation.input.safeParse({ ...(parameters as object) }).success) throw new SessionError("Invalid session");
  return rest;
}

interface Body {
  readonly uploads?: FormBody["uploads"];
  readonly discard?: FormBody["discard"] | undefined;
  readonly members: Record<string, unknown>;
  readonly actor?: Actor | undefined;
}

async function readMembers(
  source: BodySource,
  { operation, openAdmission }: BodyInput,
  settings: Settings,
): Promise<Body> {
  const { headers } = source;
  if (operation.wholeText) return readWhole(source, operation.wholeText, { settings, openAdmission });
  // Compressed bodies are not decompressed, so there is nothing to parse.
  if (headers.has("content-encoding")) return { members: {} };
  const type = (headers.get("content-type") ?? "").split(";", 1)[0]?.toLowerCase() ?? "";
  if (type.includes("multipart"))
    return readMultipart(source, { keepFiles: operation.files, admission: await openAdmission() }, settings);
  const { limits, pool, buffers } = settings;
  const maxBytes = type.includes("urlencoded") ? Math.min(limits.jsonBytes, MAX_FORM_BYTES) : limits.jsonBytes;
  const { body, release, admission } = await readBody(source, { maxBytes, pool, buffers, openAdmission });
  if (!admission) return membersOf(parseBody(body, type, settings));
  try {
    const members = await parseBody(body, type, settings);
    if (typeof body !== "string") buffers.giveBack(body);
    return { members, discard: release && (async () => release()), actor: admission.actorFor(members) };
  } catch (error) {
    release?.();
    throw error;
  }
}

type WholeText = NonNullable<AnyOperation["wholeText"]>;

async function readWhole(
  source: BodySource,
  { member, maxBytes }: WholeText,
  { settings: { pool, buffers }, openAdmission }: Pick<BodyInput, "openAdmission"> & { readonly settings: Settings },
): Promise<Body> {
  const { body, release } = await readBody(source, { maxBytes, pool, buffers, openAdmission });
  const text = body.toString();
  return { members: text === "" ? {} : { [member]: text }, discard: release && (async () => release()) };
}

type Parsed = Record<string, unknown> | Promise<Record<string, unknown>>;

function parseBody(body: string | Buffer, type: string, settings: Settings): Parsed {
  if (type.includes("urlencoded")) return readUrlEncoded(body.toString(), settings);
  if (type.includes("js") || type.includes("text") || type.includes("javascript"))
    return parseJsonObject(body, settings.turns);
  return tryJsonObject(body, settings.turns).then((members) => members ?? {});
}

/** A short text is parsed synchronously, which saves a promise. */
function membersOf(parsed: Parsed): Body | Promise<Body> {
  return parsed instanceof Promise ? parsed.then((members) => ({ members })) : { members: parsed };
}

function readUrlEncoded(text: string, { limits, turns }: Settings): Promise<Record<string, unknown>> {
  if (countFields(text, limits.fields) > limits.fields) throw malformed();
  const fields = collectFields(limits, turns);
  for (const [name, value] of Object.entries(parseForm(text)))
    for (const each of [value].flat()) if (typeof each === "string") fields.add(name, each);
  return fields.members();
}

/** Counts fields before parsing, and stops beyond the bound. */
function countFields(text: string, max: number): number {
  let count = 1;
  for (let at = text.indexOf("&"); at !== -1 && count <= max; at = text.indexOf("&", at + 1)) count++;
  return count;
}
