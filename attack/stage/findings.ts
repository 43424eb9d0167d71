export interface Finding {
  readonly part: string;
  readonly attack: string;
  readonly sentence: string;
  /** The request that first caused it. */
  readonly reproduction: string;
  readonly times: number;
}

const MAX_REPRODUCTION = 900;

/** Records each fault once per operation and counts repetitions. */
export function createFindings() {
  const found = new Map<string, Finding>();
  return {
    note(part: string, attack: string, sentence: string, reproduction = ""): void {
      const same = sentence.replace(/[\d.]+|"[^"]*"/g, "#").slice(0, 60);
      // Requests under way do not reveal the cause of a long piece; one example is enough.
      const [path = ""] = same.startsWith("a piece") ? [] : reproduction.split(/\?| -d /, 1);
      const key = `${part}\n${attack}\n${same}\n${path}`;
      const before = found.get(key);
      const times = (before?.times ?? 0) + 1;
      found.set(
        key,
        before ? { ...before, times } : { part, attack, sentence, reproduction: cut(reproduction), times },
      );
    },
    all: (): readonly Finding[] => [...found.values()],
  };
}

const cut = (text: string): string =>
  text.length > MAX_REPRODUCTION ? `${text.slice(0, MAX_REPRODUCTION)}… (${text.length} characters)` : text;
