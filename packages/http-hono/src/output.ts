import type { SignalboxError } from "@signalbox/core";
import { statusOf } from "./status.ts";

/** User input may stand in a description; more than this helps nobody. */
const MAX_DESCRIPTION = 4096;

type HeaderRecord = Readonly<Record<string, string>>;

/** Makes the JSON answers of one router; the header records are shared by all of them. */
export interface Output {
  success(members: unknown, pretty: boolean): Response;
  failure(error: SignalboxError, form: { versioned: boolean; pretty: boolean }): Response;
  /** JSON text as it is. */
  text(body: string): Response;
}

export function createOutput(base: HeaderRecord): Output {
  const headers: HeaderRecord = { ...base, "Content-Type": "application/json", "Cache-Control": "no-store" };
  const limited: HeaderRecord = { ...headers, "Retry-After": "1" };
  const ok = { status: 200, headers };
  return {
    success: (members, pretty) => new Response(successText(members, pretty), ok),
    text: (body) => new Response(body, ok),
    failure(error, { versioned, pretty }) {
      const body = { ...error.details, code: error.code, description: plainDescription(error.description) };
      return new Response(`${JSON.stringify(body, null, pretty ? "\t" : undefined)}\n`, {
        status: statusOf(error, versioned),
        headers: error.code === "rate" ? limited : headers,
      });
    },
  };
}

function successText(members: unknown, pretty: boolean): string {
  if (pretty || typeof members !== "object" || members === null || "code" in members)
    return `${JSON.stringify(Object.assign({ code: 0 }, members, { code: 0 }), null, pretty ? "\t" : undefined)}\n`;
  // Splicing the text saves a copy of the answer's members.
  const text = JSON.stringify(members);
  return text === "{}" ? '{"code":0}\n' : `{"code":0,${text.slice(1)}\n`;
}

/** Removes every `<…>` (part 10 §6.1). A regular expression would be quadratic in a text of many "<". */
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
