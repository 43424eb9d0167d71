import type { SignalboxWith } from "@signalbox/core/plugin";

/** Options of a single call, in addition to its input. */
export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal;
  /** Files of the call, sent as form fields beside the input. */
  readonly files?: FormData | readonly Blob[] | Readonly<Record<string, Blob>>;
}

type InProcess = SignalboxWith<readonly []>["api"];

/** Operations that answer bytes or an event stream resolve to the `Response`. */
type Answer<Result> = Result extends { readonly body?: AsyncIterable<Uint8Array> } ? Response : Result;

type Remote<Method> = Method extends (...input: infer Input) => Promise<infer Result>
  ? (...args: [...input: Input, options?: CallOptions]) => Promise<Answer<Result>>
  : never;

/** Every operation as a method: `create_tag` is `createTag(input)`, `user/login` is `userLogin(input)`. */
export type Api = { readonly [Name in keyof InProcess]: Remote<InProcess[Name]> };

/** Names that start like operations of the `user` namespace but belong to `app`. */
const NOT_OF_USERS: ReadonlySet<string> = new Set(["user_settings"]);

/** Path of the operation behind a method, relative to the base of the API. */
export function pathOf(method: string): string {
  const name = method.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const isOfUsers = name.startsWith("user_") && !NOT_OF_USERS.has(name);
  return isOfUsers ? `user/${name.slice(5)}/v1` : `app/${name}/v1`;
}
