import { createRandom } from "./timeline-data.ts";

const SYLLABLES =
  "ba be bi bo da de di do fa fe ka ke ki la le li lo ma me mi na ne no ra re ro sa se si ta te to va ve wi".split(" ");
const VOCABULARY = 30_000;
const WORDS = 150;

export const STATUSES = ["open", "closed", "draft"] as const;
export const TYPES = ["issue", "feature", "change", "maintenance", "question", "bug", "task", "incident"] as const;
export const TAGS = Array.from({ length: 40 }, (_unused, n) => `tag${n}`);
const PEOPLE = Array.from({ length: 200 }, (_unused, n) => `user${n}`);
const CATEGORIES = Array.from({ length: 12 }, (_unused, n) => `cat${n}`);

/** 2025-01-01; tickets are five minutes apart. */
export const FIRST = 1_735_689_600;
const APART = 300;

/** The n-th word of an invented language; the first words are in nearly every text. */
export function wordOf(n: number): string {
  let word = "";
  let rest = n + 40;
  while (rest > 0) {
    word += SYLLABLES[rest % SYLLABLES.length];
    rest = Math.floor(rest / SYLLABLES.length);
  }
  return word;
}

export interface BenchTicket {
  readonly id: string;
  readonly num: number;
  readonly subject: string;
  readonly body: string;
  readonly [member: string]: unknown;
}

/** Texts of about 900 characters over 30,000 words; the n-th word is drawn with weight 1 / (n + 3). */
export function createTickets(seed = 1): (num: number) => BenchTicket {
  const random = createRandom(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  // Inverts the logarithm to which the weights add up.
  const draw = (): string => wordOf(Math.floor(3 * (VOCABULARY / 3 + 1) ** random()) - 3);
  const text = (length: number): string => Array.from({ length }, draw).join(" ");
  const some = (values: readonly string[], most: number): string[] => [
    ...new Set(Array.from({ length: Math.floor(random() * (most + 1)) }, () => pick(values))),
  ];
  return (num) => {
    const created = FIRST + num * APART;
    const username = pick(PEOPLE);
    return {
      id: `t${created.toString(36)}${num.toString(36).padStart(5, "0")}`,
      num,
      subject: text(6),
      body: text(WORDS),
      status: pick(STATUSES),
      type: pick(TYPES),
      category: pick(CATEGORIES),
      server: "",
      username,
      assignees: some(PEOPLE, 2),
      cc: [],
      notify: [],
      tags: some(TAGS, 4),
      due: random() < 0.5 ? created + Math.floor(random() * 30) * 86_400 : 0,
      created,
      modified: created + Math.floor(random() * 30 * 86_400),
      changes: [{ type: "change", username, date: created, key: "created" }],
    };
  };
}
