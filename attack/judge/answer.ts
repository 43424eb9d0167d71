/** The form that every answer of the API must have. */
export interface Judged {
  /** 0 = the connection was cut. */
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly hung: boolean;
}

export interface Expected {
  /** Failures were injected, so "not now" is a correct answer. */
  readonly injected?: boolean;
  /** Texts that no answer may contain: folders of the server, markers of foreign records. */
  readonly forbidden?: readonly string[];
  /** The operation fails on purpose. */
  readonly fails?: boolean;
  /** The answer may contain facts about the system, such as command lines. */
  readonly ofSystem?: boolean;
}

/** Patterns of internals that leak through an answer after an unforeseen error. */
const INSIDES: readonly RegExp[] = [
  /\\n\s+at (?:async )?[\w.<>$ ]+\(?(?:file|node|\/)/,
  /\bnode_modules\b/,
  /\bSQLITE_[A-Z]+/,
  /\b(?:insert into|delete from|update|from) \\?"?(?:sb_|signalbox\.)/i,
  /no such (?:table|column)|syntax error at or near|ERR_[A-Z]+_[A-Z]+/,
  /\b(?:Type|Range|Reference)Error\b|is not a function|Cannot read propert/,
];

/** One sentence for each fault of an answer; empty when it is correct. */
export function judgeAnswer(answer: Judged, expected: Expected = {}): string[] {
  if (answer.hung) return ["no answer in time"];
  if (answer.status === 0) return ["the connection was cut without an answer"];
  return [...judgeStatus(answer, expected), ...judgeBody(answer), ...judgeInsides(answer, expected)];
}

function judgeStatus({ status, text }: Judged, { injected, fails }: Expected): string[] {
  if (status < 500 || fails || (injected && status === 503)) return [];
  return [`status ${status}: ${text.trim().slice(0, 200)}`];
}

function judgeBody({ status, contentType, text }: Judged): string[] {
  if (!/^application\/json/.test(contentType)) return [];
  const { code, description } = parse(text);
  if (code === 0) return status === 200 ? [] : [`code 0 with status ${status}`];
  if (typeof code !== "string" || code === "") return [`code ${JSON.stringify(code)}: ${text.slice(0, 200)}`];
  return typeof description === "string" && description !== "" ? [] : [`no description: ${text.slice(0, 200)}`];
}

function parse(text: string): { code?: unknown; description?: unknown } {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? parsed : {};
  } catch {
    return { code: "not JSON" };
  }
}

function judgeInsides({ text }: Judged, { forbidden = [], ofSystem }: Expected): string[] {
  const shown = ofSystem ? [] : INSIDES.flatMap((inside) => inside.exec(text)?.[0] ?? []);
  const held = forbidden.filter((word) => text.includes(word));
  return [...shown, ...held].map((word) => `shows ${JSON.stringify(word)}`);
}
