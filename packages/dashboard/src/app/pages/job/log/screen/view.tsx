import { useLayoutEffect, useRef } from "preact/hooks";
import type { LogTools } from "../tools.ts";
import { Ruler } from "./ruler.tsx";

interface LogViewProps {
  readonly tools: LogTools;
  readonly label: string;
}

/** The container for the lines. Rendered once; the screen draws into it. */
export function LogView({ tools, label }: LogViewProps) {
  const view = useRef<HTMLDivElement>(null);
  const space = useRef<HTMLDivElement>(null);
  const win = useRef<HTMLDivElement>(null);
  const gutter = useRef<HTMLPreElement>(null);
  const text = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!view.current || !space.current || !win.current || !gutter.current || !text.current) return undefined;
    const window = win.current;
    return tools.screen.attach({
      ...{ view: view.current, space: space.current, window },
      ...{ gutter: gutter.current, text: text.current },
    });
  }, [tools]);
  return (
    <div class="logwrap">
      <div
        ref={view}
        class="view"
        tabIndex={0}
        role="region"
        aria-label={label}
        onScroll={(event) => tools.screen.scrolled(event.currentTarget.scrollTop)}
      >
        <div ref={space} class="space">
          <div ref={win} class="win">
            <pre
              ref={gutter}
              class="gutter"
              aria-hidden="true"
              onClick={(event) => tools.pick(tools.screen.lineAt(event.clientY), event.shiftKey)}
            />
            <div ref={text} class="lines" />
          </div>
        </div>
      </div>
      <Ruler tools={tools} />
    </div>
  );
}
