/** Start of a span. Names and facts hold no parameters and no secrets. */
export interface SpanStart {
  readonly name: string;
  readonly kind: "internal" | "server" | "client" | "producer" | "consumer";
  /** A W3C `traceparent`; absent or malformed = the active span continues. */
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

/** A unit of work under way. */
export interface Span {
  /** W3C header by which another process continues the span; undefined while no spans are collected. */
  readonly traceparent: string | undefined;
  /** Runs `work`, and everything it awaits, with this span as the active one. */
  run<R>(work: () => R): R;
  /** Called once. */
  end(outcome: SpanEnd): void;
}

/** Receives spans, for example OpenTelemetry (`openTelemetry` of `@signalbox/adapters/tracing`). Must not throw. */
export interface Tracer {
  start(span: SpanStart): Span;
  /** The `traceparent` of the active span; undefined = there is none. */
  active(): string | undefined;
  /** Runs `work`, and everything it awaits, as part of a span of another process. */
  within<R>(traceparent: string, work: () => R): R;
}
