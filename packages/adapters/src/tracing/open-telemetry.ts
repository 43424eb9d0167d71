import type { Span, SpanStart, Tracer } from "@signalbox/core/adapter";

interface ApiSpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly isRemote?: boolean;
}

interface ApiSpan {
  spanContext(): ApiSpanContext;
  setAttributes(attributes: Record<string, string | number>): unknown;
  setStatus(status: { code: number }): unknown;
  end(endTime?: Date): void;
}

interface ApiSpanOptions {
  kind: number;
  attributes: Record<string, string | number>;
  startTime?: Date;
}

/** The part of the host's `@opentelemetry/api` that is used. Neither the package nor its types are imported here. */
export interface OpenTelemetry {
  readonly trace: {
    getTracer(name: string): { startSpan(name: string, options: ApiSpanOptions, context: unknown): ApiSpan };
    getSpan(context: unknown): ApiSpan | undefined;
    setSpan(context: unknown, span: ApiSpan): unknown;
    setSpanContext(context: unknown, spanContext: ApiSpanContext): unknown;
  };
  readonly context: {
    active(): unknown;
    with<R>(context: unknown, work: () => R): R;
  };
}

/** `SpanKind` and `SpanStatusCode` of the API, whose numbers are stable. */
const KINDS: Readonly<Record<SpanStart["kind"], number>> = {
  internal: 0,
  server: 1,
  client: 2,
  producer: 3,
  consumer: 4,
};
const FAILED = 2;

/** Any version except ff, which W3C forbids. Later versions may append more fields. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/;
const SAMPLED = 1;

/**
 * Sends spans to the host's OpenTelemetry, with its sampler, exporters and context manager.
 *
 * @example
 * import { context, trace } from "@opentelemetry/api";
 * createSignalbox({ tracer: openTelemetry({ trace, context }), … });
 */
export function openTelemetry({ trace, context }: OpenTelemetry): Tracer {
  const continued = (traceparent: string | undefined): unknown => {
    const parent = readTraceparent(traceparent);
    return parent ? trace.setSpanContext(context.active(), parent) : context.active();
  };
  const spanOf = (span: ApiSpan): Span => ({
    traceparent: writeTraceparent(span),
    run: (work) => context.with(trace.setSpan(context.active(), span), work),
    end({ facts = {}, isFailure = false, at }) {
      span.setAttributes(facts);
      if (isFailure) span.setStatus({ code: FAILED });
      span.end(dateOf(at));
    },
  });
  return {
    // Gets the tracer each time, because hosts may set up their SDK after creating the engine.
    start: ({ name, kind, parent, facts = {}, at }) => {
      const options = {
        kind: KINDS[kind],
        attributes: { ...facts },
        ...(at === undefined ? {} : { startTime: dateOf(at) }),
      };
      return spanOf(trace.getTracer("signalbox").startSpan(name, options as ApiSpanOptions, continued(parent)));
    },
    active: () => writeTraceparent(trace.getSpan(context.active())),
    within: (traceparent, work) => context.with(continued(traceparent), work),
  };
}

const dateOf = (seconds: number | undefined): Date | undefined =>
  seconds === undefined ? undefined : new Date(seconds * 1000);

function readTraceparent(text: string | undefined): ApiSpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text ?? "") ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags ?? "", 16) & SAMPLED, isRemote: true };
}

/** Undefined for spans of an API without an SDK, whose ids are all zeros. */
function writeTraceparent(span: ApiSpan | undefined): string | undefined {
  if (!span) return undefined;
  const { traceId, spanId, traceFlags } = span.spanContext();
  const text = `00-${traceId}-${spanId}-${(traceFlags & SAMPLED) === 0 ? "00" : "01"}`;
  return TRACEPARENT.test(text) ? text : undefined;
}
