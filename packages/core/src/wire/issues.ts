import * as z from "zod";

type Issue = z.core.$ZodIssue;

/** Marks a message that already is the complete wire text. */
const EXACT = "\u0001";

/** Marks the `error:` of a zod check as a text that goes to the caller unchanged. */
export const exactly = (text: string): string => EXACT + text;

/** A refinement that reports the fault of a value, which is the complete wire text. */
export const reporting =
  <T>(faultIn: (value: T) => string | undefined) =>
  (value: T, context: z.core.$RefinementCtx): void => {
    const fault = faultIn(value);
    if (fault !== undefined) context.addIssue({ code: "custom", message: exactly(fault) });
  };

/** The error without these marks, which would be control characters in the host's log. */
export const plainCause = (error: z.ZodError): z.ZodError =>
  new z.ZodError(
    error.issues.map((issue) =>
      issue.message.startsWith(EXACT) ? { ...issue, message: issue.message.slice(EXACT.length) } : issue,
    ),
  );

/** Turns the first issue of a failed validation into the contract's sentence (docs/contract/errors.md#general-errors). */
export function describeIssue(issue: Issue, input: Readonly<Record<string, unknown>>): string {
  if (issue.message.startsWith(EXACT)) return issue.message.slice(EXACT.length);
  const [top] = issue.path;
  if (top === undefined) return "Malformed request body.";
  const key = String(top);
  const value = input[key];
  if (value === undefined || value === null) return `Missing parameter: ${key}`;
  if (issue.path.length > 1 || issue.code !== "invalid_type") return `Malformed parameter: ${key}`;
  return describeType(issue.expected, key);
}

function describeType(expected: string, key: string): string {
  if (expected === "array") return `Parameter is not an array: ${key}`;
  if (expected === "record" || expected === "object") return `Parameter is not type object: ${key}`;
  if (expected === "string" || expected === "number" || expected === "boolean")
    return `Parameter is not type ${expected}: ${key}`;
  return `Malformed parameter: ${key}`;
}
