import * as z from "zod";
import { object } from "../../../wire/schemas/objects.ts";
import type { Check, CheckResult } from "../model.ts";
import { judgeAnswer, judgeFailure, judgeProbe } from "../rules/judge.ts";

const Text = z.string().max(300);
const Ms = z.number().min(0).max(120_000);

/** Findings of a satellite. Unknown members are dropped, other shapes rejected. */
const Found = z.union([
  object(() => ({ ms: Ms, blocked: z.boolean(), code: Text.optional(), text: Text })),
  object(() => ({
    ms: Ms,
    status: z.int().min(100).max(599).optional(),
    address: z.string().max(64).optional(),
    /** Unix seconds. */
    ends: z.number().min(0).max(253_402_300_799).optional(),
    values: z.array(z.string().max(4096)).max(50).optional(),
    /** Which of the check's text rules (`contains`, `not_contains`) matched the body. */
    words: z.array(z.enum(["contains", "not_contains"])).max(2),
    heard: z.boolean(),
  })),
]);

/** Result for a satellite's answer, judged by the same rules as the engine's own probes. `now` is Unix seconds. */
export function judgeFound(check: Check, told: unknown, { now, from }: { now: number; from: string }): CheckResult {
  const parsed = Found.safeParse(told);
  const result = parsed.success ? judge(check, parsed.data, now) : UNREADABLE(now);
  return { ...result, from };
}

const UNREADABLE = (now: number): CheckResult =>
  judgeFailure(new Error("The server told nothing that can be read."), { now, ms: 0 });

function judge(check: Check, found: z.infer<typeof Found>, now: number): CheckResult {
  const { ms } = found;
  if ("blocked" in found) {
    const { code, text } = found;
    const error = found.blocked ? new TypeError(text) : Object.assign(new Error(text), { code });
    return judgeFailure(error, { now, ms });
  }
  const { status, address, ends: certificateEnds, values, words, heard } = found;
  // The body stayed on the satellite. A text made of just the matching words gets the same verdict.
  const text = words.map((name) => check[name] ?? "").join("\n");
  if (check.type !== "http")
    return judgeProbe(check, { elapsedMs: ms, address, certificateEnds, values, ...(heard ? { text } : {}) }, now);
  const result = judgeAnswer(check, { status: status ?? 0, body: text, ms, certificateEnds }, now);
  return address === undefined ? result : { ...result, address };
}
