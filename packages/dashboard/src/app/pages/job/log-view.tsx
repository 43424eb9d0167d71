import { type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { number } from "../../texts/format.ts";
import { countOf, type LogText, levelOf, piecesOf } from "./log-lines.ts";

const LINE = 20;
const OVERSCAN = 12;

interface LogViewProps {
  readonly text: LogText;
  readonly label: string;
  readonly isFollowing: Signal<boolean>;
}

/** Draws the lines that can be seen. Scrolling up ends the following; coming to the end begins it again. */
export function LogView({ text, label, isFollowing }: LogViewProps) {
  const view = useRef<HTMLDivElement>(null);
  const first = useSignal(0);
  const height = useSignal(600);
  const count = countOf(text);
  const isOn = isFollowing.value;
  useLayoutEffect(() => {
    const element = view.current;
    if (!element) return;
    height.value = element.clientHeight;
    if (isOn) element.scrollTop = count * LINE;
  }, [count, isOn]);
  const onScroll = (): void => {
    const element = view.current;
    if (!element) return;
    const { scrollTop, clientHeight, scrollHeight } = element;
    first.value = Math.floor(scrollTop / LINE);
    isFollowing.value = scrollHeight - scrollTop - clientHeight < LINE * 1.5 && (isFollowing.peek() || scrollTop > 0);
  };
  const shown = Math.ceil(height.value / LINE) + 2 * OVERSCAN;
  const from = Math.max(0, Math.min(first.value - OVERSCAN, count - shown + OVERSCAN));
  const lines = text.lines.slice(from, Math.min(count, from + shown));
  return (
    <div ref={view} class="view" tabIndex={0} role="region" aria-label={label} onScroll={onScroll}>
      <div class="space" style={{ "--n": count }}>
        <div class="win" style={{ "--from": from }}>
          {lines.map((line, at) => (
            <Line key={text.dropped + from + at} line={line} number={text.dropped + from + at + 1} />
          ))}
        </div>
      </div>
    </div>
  );
}

interface LineProps {
  readonly line: string;
  readonly number: number;
}

/** Longest line that is drawn: the rest of it is in the download. */
const MAX_COLUMNS = 4000;

function Line({ line, number: at }: LineProps) {
  return (
    <div class={`ln ${levelOf(line)}`}>
      <i>{number(at)}</i>
      <span>
        {piecesOf(line.slice(0, MAX_COLUMNS)).map(({ text, style }, index) =>
          style ? (
            <span key={index} class={style}>
              {text}
            </span>
          ) : (
            text
          ),
        )}
      </span>
    </div>
  );
}
