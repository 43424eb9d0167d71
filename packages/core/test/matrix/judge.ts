import type { StreamResult } from "../../src/kernel/calls/operation.ts";
import { SignalboxError } from "../../src/kernel/errors/errors.ts";
import type { Cell, Expected, Who } from "./callers.ts";
import type { Sample } from "./sample-makers.ts";
import type { Row } from "./table.ts";
import { type Caller, MARK, type Members, type Person, type World } from "./world/world.ts";

/** The fault in a caller's answer, if any. */
export async function judge(world: World, row: Row, sample: Sample, cell: Cell, refusedInput: Members) {
  const isThrough = cell.expected === "through";
  const person = "person" in cell.who ? await cell.who.person() : world.stranger;
  const base = isThrough ? await sample.input(world, person) : refusedInput;
  const input = { ...base, ...cell.input };
  const caller = await callerOf(cell.who, person, input);
  const counts = isThrough ? "" : await world.rowCounts();
  const answer = await answerOf(world.call(row.operation, input, caller, sample.waits), sample);
  if (!isThrough && (await world.rowCounts()) !== counts) return "changed what is stored";
  return isThrough ? faultOfSuccess(answer, sample, cell) : faultOfRefusal(answer, cell.expected);
}

async function callerOf(who: Who, person: Person, input: Members): Promise<Caller> {
  if ("person" in who) return { credentials: person.credentials };
  if ("keyFor" in who) return { credentials: await who.keyFor(input) };
  return who;
}

type Answer = { readonly text: string } | { readonly code: string; readonly description: string };

async function answerOf(call: Promise<unknown>, { chunks }: Sample): Promise<Answer> {
  try {
    return { text: await textOf(await call, chunks) };
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    return { code: error.code, description: error.description };
  }
}

async function textOf(result: unknown, most = Number.POSITIVE_INFINITY): Promise<string> {
  const { body, ...rest } = result as StreamResult;
  if (!body || typeof body !== "object" || !(Symbol.asyncIterator in body)) return JSON.stringify(result);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) if (chunks.push(chunk) >= most) break;
  return JSON.stringify(rest) + Buffer.concat(chunks).toString();
}

function faultOfSuccess(answer: Answer, sample: Sample, cell: Cell): string | undefined {
  if (!("text" in answer))
    return answer.code === sample.code ? undefined : `was refused: ${answer.code}: ${answer.description}`;
  if (sample.code !== undefined) return `was not answered with ${sample.code}`;
  const isShown = answer.text.includes(sample.mark ?? MARK);
  if (cell.hides && isShown) return "saw what belongs to others";
  if (cell.shows && !isShown) return "did not see what hides from others";
  return undefined;
}

function faultOfRefusal(answer: Answer, expected: Expected): string | undefined {
  if ("text" in answer) return `was let through: ${answer.text.slice(0, 200)}`;
  if (expected === "through" || (answer.code === expected.code && answer.description === expected.description))
    return undefined;
  return `got ${JSON.stringify(answer)} instead of ${JSON.stringify(expected)}`;
}
