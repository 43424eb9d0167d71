import { now } from "../../../../texts/format.ts";
import type { LogTools } from "../tools.ts";

/** Number of marks that can be told apart in the height of a screen. */
const PLACES = 240;

interface RulerProps {
  readonly tools: LogTools;
}

/** Marks errors, warnings and matches over the whole log; rendered once a second. A click scrolls there. */
export function Ruler({ tools }: RulerProps) {
  now.value;
  tools.finder.count.value;
  const { buffer, screen } = tools;
  const { marked, count, dropped } = buffer();
  const total = Math.max(1, count - dropped);
  const marks = new Map<number, string>();
  const add = (lines: readonly number[], kind: string): void => {
    for (const line of lines) if (line >= dropped) marks.set(Math.floor(((line - dropped) / total) * PLACES), kind);
  };
  add(marked.warn, "warn");
  add(marked.err, "err");
  add(tools.finder.lines(), "found");
  return (
    <div
      class="ruler"
      aria-hidden="true"
      onClick={(event) => {
        const { top, height } = event.currentTarget.getBoundingClientRect();
        screen.toLine(dropped + Math.floor(((event.clientY - top) / height) * total));
      }}
    >
      {[...marks].map(([at, kind]) => (
        <i key={at} class={kind} style={{ "--at": at / PLACES }} />
      ))}
    </div>
  );
}
