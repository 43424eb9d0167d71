import type { Check } from "../model.ts";

type Texts = Pick<Check, "headers" | "body">;

/** Headers and body of a check's request. */
export interface Said {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const MACRO = /\{\{\s*secrets\.(\w+)\s*\}\}/g;

/** True when headers or body contain a secret macro. */
export const hasSecrets = ({ headers, body }: Texts): boolean =>
  [body ?? "", ...(headers ?? []).map(({ value }) => value)].some((text) => text.search(MACRO) >= 0);

/**
 * Replaces `{{ secrets.NAME }}` in headers and body, in one pass: a value that looks like a macro is sent as it is.
 * Throws `TypeError` for a name that no secret of the check has, so that no request is made.
 */
export function withSecrets({ headers, body }: Texts, secrets: ReadonlyMap<string, string>): Said {
  const filled = (text: string): string =>
    text.replace(MACRO, (_macro, name: string) => {
      const value = secrets.get(name);
      if (value === undefined) throw new TypeError(`No secret of this check has the variable ${name}.`);
      return value;
    });
  return {
    headers: Object.fromEntries((headers ?? []).map(({ name, value }) => [name, filled(value)])),
    body: body ? filled(body) : undefined,
  };
}
