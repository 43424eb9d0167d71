import type { SignalboxWith } from "@signalbox/core/plugin";

/** Options of a single call beside its input. */
export interface CallOptions {
  /** Gives the call up. */
  readonly signal?: AbortSignal;
  /** Files of the call, as fields of a form: the input travels beside them. */
  readonly files?: FormData | readonly Blob[] | Readonly<Record<string, Blob>>;
}

type InProcess = SignalboxWith<readonly []>["api"];

/** Operations that answer bytes or an event stream hand over the `Response` to read them from. */
type Answer<Result> = Result extends { readonly body?: AsyncIterable<Uint8Array> } ? Response : Result;

type Remote<Method> = Method extends (...input: infer Input) => Promise<infer Result>
  ? (...args: [...input: Input, options?: CallOptions]) => Promise<Answer<Result>>
  : never;

/** Every operation as a method: `create_tag` is `createTag(input)`, `user/login` is `userLogin(input)`. */
export type Api = { readonly [Name in keyof InProcess]: Remote<InProcess[Name]> };

/** Operations of the first namespace whose names look as if they were of the other one. */
const NOT_OF_USERS: ReadonlySet<string> = new Set(["user_settings"]);

/** Path of the operation behind a method, below the base of the API. */
export function pathOf(method: string): string {
  const name = method.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const isOfUsers = name.startsWith("user_") && !NOT_OF_USERS.has(name);
  return isOfUsers ? `user/${name.slice(5)}/v1` : `app/${name}/v1`;
}
