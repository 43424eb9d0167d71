/** Why a call was refused or failed: `code` for programs, `description` for people. */
export class SignalboxError extends Error {
  override readonly name = "SignalboxError";
  /** As docs/contract/errors.md lists them; "network" when no answer came, "http" when it was none of the API's. */
  readonly code: string;
  readonly description: string;
  /** Of the HTTP answer; 0 when there was none. */
  readonly status: number;
  readonly details: unknown;

  constructor(code: string, description: string, { status = 0, details, cause }: ErrorFacts = {}) {
    super(description, cause === undefined ? undefined : { cause });
    this.code = code;
    this.description = description;
    this.status = status;
    this.details = details;
  }
}

interface ErrorFacts {
  readonly status?: number;
  readonly details?: unknown;
  readonly cause?: unknown;
}

/** The text of an answer that is not as it should be, by any sender: a proxy answers with pages of its own. */
export async function errorOf(response: Response): Promise<SignalboxError> {
  const { status } = response;
  const answer: unknown = await response.json().catch(() => undefined);
  const { code, description, details } = (answer ?? {}) as Record<string, unknown>;
  if (typeof code !== "string") return new SignalboxError("http", `The server answered ${status}`, { status });
  return new SignalboxError(code, typeof description === "string" ? description : code, { status, details });
}
