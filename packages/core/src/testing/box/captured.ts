import { messageOf } from "../../lib/message-of.ts";
import type { Mail, Mailer } from "../../ports/outside/mailer.ts";
import type { WebHookClient, WebHookRequest, WebHookResponse } from "../../ports/outside/web-hook-client.ts";
import type { Duration } from "./moment.ts";

/** Outgoing messages of the box, such as mails or web hooks, oldest first. */
export interface Captured<T> extends ReadonlyArray<T> {
  /**
   * The first message that matches, whether already captured or still to come: time advances until there is one. Rejects with a
   * list of the captured messages when `within` (default one hour of the box) has passed.
   */
  waitFor(match?: (item: T) => boolean, within?: Duration): Promise<T>;
  /** Forgets all captured messages. */
  clear(): void;
}

/** A mail that the engine sent. */
export interface CapturedMail extends Mail {
  /** Unix seconds. */
  readonly at: number;
}

/** A web hook that the engine sent. */
export interface CapturedHook extends WebHookRequest {
  /** Unix seconds. */
  readonly at: number;
  /** The body parsed as JSON; undefined if it is not JSON. */
  readonly json: unknown;
}

/** A receiver's answer to a web hook; absent members default to `200 OK` without a body. */
export type HookAnswer = Partial<Pick<WebHookResponse, "status" | "statusText" | "headers" | "body">>;

/** Advances time until a condition holds; `what` names it in the error. */
export type Until = (what: string, holds: () => boolean, within: Duration) => Promise<void>;

const WITHIN: Duration = { hours: 1 };

/** `describe` formats an item for errors. */
export function createCaptured<T>(
  name: string,
  { until, describe }: { readonly until: Until; readonly describe: (item: T) => string },
): { readonly list: Captured<T>; add(item: T): void } {
  const items: T[] = [];
  const members: Pick<Captured<T>, "waitFor" | "clear"> = {
    async waitFor(match = () => true, within = WITHIN) {
      const lines = (): string =>
        items.length > 0 ? `; there are: ${items.map(describe).join(", ")}` : "; there is none";
      try {
        await until(`${name} that matches`, () => items.some(match), within);
      } catch (error) {
        throw new Error(`${messageOf(error)}${lines()}`, { cause: error });
      }
      return items.find(match) as T;
    },
    clear: () => void items.splice(0),
  };
  // Not enumerable, so that the list compares equal to a plain one.
  for (const [key, value] of Object.entries(members)) Object.defineProperty(items, key, { value });
  return { list: items as unknown as Captured<T>, add: (item) => void items.push(item) };
}

export interface CaptureOptions {
  readonly now: () => number;
  readonly until: Until;
  readonly mails: ((mail: Mail) => unknown) | undefined;
  readonly hooks: ((request: WebHookRequest) => HookAnswer | undefined | Promise<HookAnswer | undefined>) | undefined;
}

/** Ports to the outside world that capture the mails and web hooks they receive. */
export function createCapture({ now, until, ...answers }: CaptureOptions) {
  const mails = createCaptured<CapturedMail>("a mail", { until, describe: ({ subject }) => `"${subject}"` });
  const hooks = createCaptured<CapturedHook>("a web hook", {
    until,
    describe: ({ method, url }) => `${method} ${url}`,
  });
  const mailer: Mailer = {
    async send(mail) {
      await answers.mails?.(mail);
      mails.add({ ...mail, at: now() });
    },
  };
  const webHooks: WebHookClient = {
    async send(request) {
      hooks.add({ ...request, at: now(), json: jsonOf(request.body) });
      const answer = await answers.hooks?.(request);
      return { status: 200, statusText: "OK", headers: {}, body: "", elapsedMs: 0, ...answer };
    },
  };
  return { mailer, webHooks, mails: mails.list, hooks: hooks.list };
}

function jsonOf(body: string | undefined): unknown {
  if (body === undefined) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    // A web hook may send any text.
    return undefined;
  }
}
