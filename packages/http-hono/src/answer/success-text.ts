import { isSurelyLonger, JsonText, keptText } from "@signalbox/core/adapter";

/** From this many elements on, a list is serialised element by element, even if they are short. */
const LONG_LIST = 64;
/** Characters serialised in one go: takes a millisecond. */
const SLICE = 262_144;

type Members = Readonly<Record<string, unknown>>;

/**
 * The JSON text of an answer, `code` first. A long answer comes in slices that are serialised on demand: ten thousand records in
 * one go would block the event loop for a tenth of a second, and their text would need as much memory as they do.
 */
export function successText(members: unknown, pretty: boolean): string | Iterable<string> {
  const isPlain = typeof members === "object" && members !== null;
  const kept = isPlain && !pretty ? textOfKnown(members as Members) : undefined;
  if (kept !== undefined) return kept;
  if (isPlain && (Object.values(members).some(isLongList) || isSurelyLonger(members, SLICE)))
    return writeLong(members, pretty);
  if (pretty || !isPlain || "code" in members)
    return `${JSON.stringify(Object.assign({ code: 0 }, members, { code: 0 }), null, pretty ? "\t" : undefined)}\n`;
  // Splicing the text avoids copying the answer's members.
  const text = JSON.stringify(members);
  return text === "{}" ? '{"code":0}\n' : `{"code":0,${text.slice(1)}\n`;
}

const textOf = (value: unknown): string | undefined => (value instanceof JsonText ? value.text : keptText(value));

const textOfKnown = (members: Members): string | undefined => textOfKept(members) ?? textOfOne(members);

/** The text of a short list of definitions, whose JSON is cached, or of rows that are texts; undefined for other answers. */
function textOfKept(members: Members): string | undefined {
  const { rows, list } = members;
  if (!Array.isArray(rows) || rows.length >= LONG_LIST || list === undefined || "code" in members) return undefined;
  const texts = rows.map(textOf);
  if (texts.includes(undefined)) return undefined;
  const text = texts.join();
  const { rows: _rows, ...others } = members;
  return text.length < SLICE ? `{"code":0,"rows":[${text}],${JSON.stringify(others).slice(1)}\n` : undefined;
}

/** The text of an answer whose only member is already a text; undefined for any other answer. */
function textOfOne(members: Members): string | undefined {
  const names = Object.keys(members);
  const [name] = names;
  const text = name !== undefined && name !== "code" && names.length === 1 ? textOf(members[name]) : undefined;
  return text !== undefined && text.length < SLICE ? `{"code":0,${JSON.stringify(name)}:${text}}\n` : undefined;
}

const isLongList = (value: unknown): boolean => Array.isArray(value) && value.length >= LONG_LIST;

function writeLong(members: object, pretty: boolean): string | Iterable<string> {
  const slices = joined(piecesOf(pretty ? PRETTY : PLAIN, Object.assign({ code: 0 }, members, { code: 0 })));
  const first = String(slices.next().value);
  const second = slices.next();
  // Many small elements may still make a short text.
  return second.done ? first : after([first, second.value], slices);
}

function* after(begun: readonly string[], rest: Iterable<string>): Generator<string, undefined> {
  yield* begun;
  yield* rest;
}

/** Punctuation as `JSON.stringify` writes it, without and with tabs. */
interface Form {
  write(value: unknown, depth: number): string | undefined;
  readonly member: string;
  readonly colon: string;
  readonly element: string;
  readonly endOfList: string;
  readonly end: string;
}
const PLAIN: Form = {
  write: (value) => (value instanceof JsonText ? value.text : JSON.stringify(value)),
  member: "",
  colon: ":",
  element: "",
  endOfList: "",
  end: "",
};
const PRETTY: Form = {
  // Line breaks inside of texts are escaped, so all remaining ones are between members.
  write: (value, depth) => JSON.stringify(value, null, "\t")?.replaceAll("\n", `\n${"\t".repeat(depth)}`),
  member: "\n\t",
  colon: ": ",
  element: "\n\t\t",
  endOfList: "\n\t",
  end: "\n",
};

/** Joins many small texts into longer ones. */
function* joined(pieces: Iterable<string>): Generator<string, undefined> {
  let text = "";
  for (const piece of pieces) {
    text += piece;
    if (text.length < SLICE) continue;
    yield text;
    text = "";
  }
  yield text;
}

function* piecesOf(form: Form, members: Members): Generator<string, undefined> {
  let start = "{";
  for (const [name, value] of Object.entries(members)) {
    const head = `${start}${form.member}${JSON.stringify(name)}${form.colon}`;
    if (Array.isArray(value) && value.length > 0) {
      yield head;
      yield* elementsOf(form, value);
    } else if (isRecord(value)) {
      yield head;
      yield* membersOf(form, value);
    } else {
      const written = form.write(value, 1);
      if (written === undefined) continue;
      yield head + written;
    }
    start = ",";
  }
  yield `${form.end}}\n`;
}

/** Whether a value is a plain record: not a list, and not an object with its own `toJSON`. */
const isRecord = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !("toJSON" in value);

function* elementsOf(form: Form, list: readonly unknown[]): Generator<string, undefined> {
  let start = "[";
  for (const element of list) {
    yield `${start}${form.element}${form.write(element, 2) ?? "null"}`;
    start = ",";
  }
  yield `${form.endOfList}]`;
}

function* membersOf(form: Form, map: Members): Generator<string, undefined> {
  let start = "{";
  for (const [name, value] of Object.entries(map)) {
    const written = form.write(value, 2);
    if (written === undefined) continue;
    yield `${start}${form.element}${JSON.stringify(name)}${form.colon}${written}`;
    start = ",";
  }
  // Undefined members are left out.
  yield start === "{" ? "{}" : `${form.endOfList}}`;
}
