import { type NewStamp, newStamps } from "../../../wire/fields/stamps.ts";
import { BOUNDS, type CreateWebHook, type HookHeader, type WebHook } from "../model.ts";

/** A header name is an HTTP token. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Makes a new hook. Headers stay absent when none were sent; other members have defaults (docs/contract/web-hooks.md#record). */
export function newWebHook(input: CreateWebHook, { id, username, now }: NewStamp): WebHook {
  return {
    ...input,
    ...(input.headers === undefined ? {} : { headers: input.headers as WebHook["headers"] }),
    id,
    enabled: input.enabled ?? true,
    body: input.body ?? "",
    timeout: input.timeout ?? 30,
    retries: input.retries ?? 0,
    follow: input.follow ?? false,
    ssl_cert_bypass: input.ssl_cert_bypass ?? false,
    max_per_day: input.max_per_day ?? 0,
    icon: input.icon ?? "",
    notes: input.notes ?? "",
    ...newStamps(username, now),
  } as WebHook;
}

/** True for an array of objects with an HTTP token as name and text as value (docs/contract/web-hooks.md#checks). */
export function areHeaders(value: unknown): value is HookHeader[] {
  return Array.isArray(value) && value.every(isHeader);
}

function isHeader(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { name, value: text } = value as Record<string, unknown>;
  return typeof name === "string" && TOKEN.test(name) && typeof text === "string";
}

/** The first of the named members that is a number outside its bounds; undefined when all fit. */
export function outOfBounds(hook: Readonly<Record<string, unknown>>, members: object): string | undefined {
  return Object.entries(BOUNDS).find(([member, [min, max]]) => {
    const value = hook[member];
    if (!(member in members) || value === null) return false;
    return !(typeof value === "number" && value >= min && value <= max);
  })?.[0];
}

/** Members that determine a hook's target and content, each with a function that maps equivalent values to the same form. */
const DIRECTION: Readonly<Record<string, (value: unknown) => unknown>> = {
  url: (value) => value,
  method: (value) => value,
  headers: (value) => JSON.stringify(value ?? []),
  body: (value) => value ?? "",
  follow: Boolean,
  ssl_cert_bypass: Boolean,
  sign_with: (value) => value ?? "",
};

/** True when the changed hook sends something else, or to another target (docs/contract/web-hooks.md#hooks-with-secrets). */
export function isRedirected(stored: WebHook, changed: WebHook): boolean {
  return Object.entries(DIRECTION).some(([member, read]) => read(stored[member]) !== read(changed[member]));
}

/** The hook of a new installation: disabled, so that nothing is sent before a person wants it. */
export const EXAMPLE_HOOK: CreateWebHook = {
  title: "Example Hook",
  enabled: false,
  method: "POST",
  url: "https://httpbin.org/post",
  headers: [{ name: "Content-Type", value: "application/json" }],
  body: '{\n\t"text": "{{text}}",\n\t"content": "{{content}}"\n}',
  notes: "Posts to a public address that echoes what it gets. Replace the URL by your own.",
};
