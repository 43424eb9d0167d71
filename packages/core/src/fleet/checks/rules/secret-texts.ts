import type { Check } from "../model.ts";

type Texts = Pick<Check, "headers" | "body">;

/** Texts that a check sends to a server. */
export interface Said {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const MACRO = /\{\{\s*secrets\.(\w+)\s*\}\}/g;

/** True when headers or body name a secret whose value is to be put in. */
export const hasSecrets = ({ headers, body }: Texts): boolean =>
  [body ?? "", ...(headers ?? []).map(({ value }) => value)].some((text) => text.search(MACRO) >= 0);

/**
 * Headers and body with the values of secrets in place of `{{ secrets.NAME }}`, once: a value that reads like a macro is
 * sent as it is. Throws `TypeError`, so that nothing is asked, for a name that is none of the secrets.
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
