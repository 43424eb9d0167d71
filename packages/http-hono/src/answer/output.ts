import type { SignalboxError } from "@signalbox/core";
import type { CallHeaders } from "../caller/call-request.ts";
import { limitSilence } from "../caller/connection.ts";
import type { HostEnv } from "../options.ts";
import { chooseEncoding, compressText, type Encoding, isWorthCompressing } from "./compression.ts";
import { longResponse, type OutputSettings, SILENCE_MS } from "./long-answer.ts";
import { type Answer, PlainAnswer } from "./plain-answer.ts";
import { statusOf } from "./status.ts";
import { successText } from "./success-text.ts";

/** Most characters of a description, which may contain user input. */
const MAX_DESCRIPTION = 4096;
/** Bytes that a connection accepts at once, even if nobody reads them. */
const TAKEN_AT_ONCE = 65_536;

type HeaderRecord = Readonly<Record<string, string>>;

/** Produces the JSON answers of one router; all of them share the header records. */
export interface Output {
  success(members: unknown, form: SuccessForm): Answer | Promise<Answer>;
  failure(error: SignalboxError, form: FailureForm): Answer;
  /** A text sent unchanged, as JSON unless the headers say otherwise. */
  text(body: string, accepted?: CallHeaders, headers?: HeaderRecord): Answer | Promise<Answer>;
}

export interface FailureForm {
  readonly versioned: boolean;
  readonly pretty: boolean;
  /** Headers from the operation, names in lower case. */
  readonly headers?: HeaderRecord | undefined;
}

export interface SuccessForm {
  readonly pretty: boolean;
  /** Headers of the request; without them nothing is compressed. */
  readonly accepted?: CallHeaders;
  /** Headers from the operation, names in lower case. */
  readonly headers?: HeaderRecord | undefined;
  /** Objects of the server, which give access to the connection; without them, unread answers go unnoticed. */
  readonly env?: HostEnv;
  /** The caller only wants the headers. */
  readonly head?: boolean;
  /** True = the call has changed something, so the answer must not ask the caller to repeat it. */
  readonly isDone?: boolean;
  /** Frees the room that was reserved while the answer was read. */
  readonly room?: (() => void) | undefined;
}

export function createOutput(settings: OutputSettings): Output {
  let records = recordsOf(settings.headers);
  // The configuration may change while the router runs.
  const current = (): HeaderRecords => {
    if (records.of !== settings.headers) records = recordsOf(settings.headers);
    return records;
  };
  const compress = settings.options.compress !== false;
  const { traffic } = settings;
  const answer = (body: string, accepted?: CallHeaders, more?: HeaderRecord): Answer | Promise<Answer> => {
    const varies = compress && accepted !== undefined && isWorthCompressing(body);
    const own = varies ? current().varying : current().plain;
    const all = more ? { ...own, ...more } : own;
    const encoding = varies ? chooseEncoding(accepted.get("accept-encoding")) : undefined;
    if (encoding) return compressed(body, encoding, all, traffic);
    traffic.bytesOut += Buffer.byteLength(body);
    return new PlainAnswer(body, 200, all);
  };
  return {
    success(members, form) {
      const text = successText(members, form.pretty);
      if (typeof text !== "string")
        return longResponse({ members: members as object, slices: text, headers: form.headers ?? {} }, form, settings);
      if (text.length > TAKEN_AT_ONCE) limitSilence(form.env, SILENCE_MS);
      return answer(text, form.accepted, form.headers);
    },
    text: answer,
    failure(error, { versioned, pretty, headers: more }) {
      const body = { ...error.details, code: error.code, description: plainDescription(error.description) };
      const text = `${JSON.stringify(body, null, pretty ? "\t" : undefined)}\n`;
      traffic.bytesOut += Buffer.byteLength(text);
      const { limited, plain } = current();
      const all = error.code === "rate" ? limited : more ? { ...plain, ...more } : plain;
      return new PlainAnswer(text, statusOf(error, versioned), all);
    },
  };
}

interface HeaderRecords {
  /** The configured headers from which the other records were built. */
  readonly of: HeaderRecord;
  readonly plain: HeaderRecord;
  readonly limited: HeaderRecord;
  readonly varying: HeaderRecord;
}

function recordsOf(of: HeaderRecord): HeaderRecords {
  // Names in lower case, so that our headers replace the configured ones instead of being added to them.
  const plain: HeaderRecord = { ...of, "content-type": "application/json", "cache-control": "no-store" };
  return { of, plain, limited: { ...plain, "retry-after": "1" }, varying: { ...plain, vary: "accept-encoding" } };
}

async function compressed(
  body: string,
  encoding: Encoding,
  headers: HeaderRecord,
  traffic: OutputSettings["traffic"],
): Promise<PlainAnswer> {
  const packed = await compressText(body, encoding);
  traffic.bytesOut += packed.length;
  return new PlainAnswer(packed, 200, { ...headers, "content-encoding": encoding });
}

/**
 * Removes every `<…>` (docs/contract/errors.md#shape). A regular expression would be quadratic in a text of many "<".
 */
export function plainDescription(text: string): string {
  let out = "";
  let from = 0;
  for (;;) {
    const open = text.indexOf("<", from);
    const close = open === -1 ? -1 : text.indexOf(">", open);
    if (close === -1) break;
    out += text.slice(from, open);
    from = close + 1;
  }
  return (out + text.slice(from)).slice(0, MAX_DESCRIPTION);
}
