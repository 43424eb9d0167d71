/** Start of a span. Names and facts hold no parameters and no secrets. */
export interface SpanStart {
  readonly name: string;
  readonly kind: "internal" | "server" | "client" | "producer" | "consumer";
  /** A `traceparent` as W3C has it; absent or malformed = the active span continues. */
  readonly parent?: string | undefined;
  readonly facts?: Readonly<Record<string, string | number>>;
  /** Unix seconds; absent = now. */
  readonly at?: number;
}

export interface SpanEnd {
  readonly facts?: Readonly<Record<string, string | number>>;
  readonly isFailure?: boolean;
  /** Unix seconds; absent = now. */
  readonly at?: number;
}

/** A stretch of work on its way. */
export interface Span {
  /** Header by which another process continues the span, as W3C has it; undefined while no spans are collected. */
  readonly traceparent: string | undefined;
  /** Runs `work`, with all that it waits for, while this span is the active one. */
  run<R>(work: () => R): R;
  /** Called once. */
  end(outcome: SpanEnd): void;
}

/** Takes spans, for example OpenTelemetry (`openTelemetry` of `@signalbox/adapters/tracing`). Must not throw. */
export interface Tracer {
  start(span: SpanStart): Span;
  /** The `traceparent` of the active span; undefined = there is none. */
  active(): string | undefined;
  /** Runs `work`, with all that it waits for, as a part of a span that ran elsewhere. */
  within<R>(traceparent: string, work: () => R): R;
}
