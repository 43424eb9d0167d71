import type { WebHookClient } from "../ports/outside/web-hook-client.ts";
import type { ReadTx, Storage } from "../ports/storage/storage.ts";
import type { Tracer } from "../ports/tracer.ts";
import { DomainError, SignalboxError } from "./errors/errors.ts";

type Tracing = Tracer | undefined;

const codeOf = (error: unknown): string => (error instanceof SignalboxError ? error.code : "internal");

/** Whether the engine itself failed; other errors are refusals, which are valid answers. */
const isOwnFault = (error: unknown): boolean =>
  codeOf(error) === "internal" ||
  (error instanceof DomainError && (error.reason === "failed" || error.reason === "unavailable"));

/** `code` and `isFailure` as a span records them. The error's text is left out, because it may repeat input of callers. */
export interface Outcome {
  readonly code: string | number;
  readonly isFailure: boolean;
}

const GOOD: Outcome = { code: 0, isFailure: false };

/** Calls `done` when work ends, whether it is synchronous or not. */
export function ended<R>(work: () => R, done: (outcome: Outcome) => void): R {
  const failed = (error: unknown): never => {
    done({ code: codeOf(error), isFailure: isOwnFault(error) });
    throw error;
  };
  let output: R;
  try {
    output = work();
  } catch (error) {
    return failed(error);
  }
  if (!(output instanceof Promise)) {
    done(GOOD);
    return output;
  }
  return output.then((answer: unknown) => {
    done(GOOD);
    return answer;
  }, failed) as R;
}

/**
 * Creates a span for a transaction that belongs to a traced call; the engine's own rounds, which run every second, get none. Work
 * in the transaction is part of the span, even where several calls share one transaction of the storage.
 */
export function tracedTransaction<Tx, R>(
  tracer: Tracing,
  { storage, kind }: { readonly storage: Pick<Storage, "name">; readonly kind: "read" | "write" },
  run: (within: (work: (tx: Tx) => Promise<R>) => (tx: Tx) => Promise<R>) => Promise<R>,
): Promise<R> {
  if (tracer?.active() === undefined) return run((work) => work);
  const facts = { "db.system.name": storage.name };
  const span = tracer.start({ name: `storage ${kind}`, kind: "client", facts });
  const done = ({ code, isFailure }: Outcome): void => span.end({ isFailure, facts: { "signalbox.code": code } });
  return ended(() => span.run(() => run((work) => (tx) => span.run(() => work(tx)))), done);
}

/** Traces the reads of a storage. */
export function tracedReads(storage: Pick<Storage, "name" | "read">, tracer: Tracing): Pick<Storage, "read"> {
  if (!tracer) return storage;
  return {
    read: <R>(work: (tx: ReadTx) => Promise<R>) =>
      tracedTransaction<ReadTx, R>(tracer, { storage, kind: "read" }, (within) => storage.read(within(work))),
  };
}

/**
 * Creates a span for each request within a trace, and sends it in `traceparent` unless the web hook has a header of that name.
 */
export function tracedWebHooks(client: WebHookClient | undefined, tracer: Tracing): WebHookClient | undefined {
  if (!client || !tracer) return client;
  return {
    ...client,
    async send(request, signal) {
      if (tracer.active() === undefined) return client.send(request, signal);
      const span = tracer.start({
        name: `web hook ${request.method}`,
        kind: "client",
        facts: { "http.request.method": request.method },
      });
      const isSet = Object.keys(request.headers).some((name) => name.toLowerCase() === "traceparent");
      const added = isSet || span.traceparent === undefined ? {} : { traceparent: span.traceparent };
      try {
        const sent = { ...request, headers: { ...request.headers, ...added } };
        const answer = await span.run(() => client.send(sent, signal));
        span.end({ facts: { "http.response.status_code": answer.status }, isFailure: answer.status >= 400 });
        return answer;
      } catch (error) {
        span.end({ isFailure: true });
        throw error;
      }
    },
  };
}
