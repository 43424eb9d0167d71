/** Methods of the request headers that a call needs. */
export interface CallHeaders {
  get(name: string): string | null;
  has(name: string): boolean;
  forEach(use: (value: string, name: string) => void): void;
}

/** Members of a `Request` that a call of an operation needs. */
export interface CallRequest extends Pick<Request, "method" | "url" | "signal" | "bodyUsed" | "body"> {
  readonly headers: CallHeaders;
  text(): Promise<string>;
}

/** The complete `Request`, for callbacks of a host: a router with callbacks always receives one. */
export const wholeRequest = (request: CallRequest): Request => request as Request;
