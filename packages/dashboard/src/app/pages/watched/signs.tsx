import { Mark, type StateName } from "../../parts/basic/basic.tsx";
import { RunStrip } from "../../parts/charts/run-strip.tsx";
import { Time } from "../../parts/time.tsx";

/** One call of a heartbeat or result of a check. Lists have the newest first. */
export interface Sign {
  /** Unix seconds. */
  readonly at: number;
  readonly state: StateName;
  readonly words: string;
  readonly more?: string | undefined;
  /** Height of its column: how long it took. */
  readonly took: number;
}

const DRAWN = 60;
const LISTED = 25;

/** The history of a heartbeat or check: a strip, and a line for each of the newest. */
export const Signs = ({ signs, label }: { readonly signs: readonly Sign[]; readonly label: string }) => {
  const drawn = signs.slice(0, DRAWN).toReversed();
  return (
    <>
      <div class="inner">
        <RunStrip runs={drawn.map(({ state, took }) => ({ state, elapsed: took }))} most={drawn.length} label={label} />
      </div>
      <ul class="linked">
        {signs.slice(0, LISTED).map((sign, at) => (
          <OneSign key={`${sign.at} ${at}`} {...sign} />
        ))}
      </ul>
    </>
  );
};

export const OneSign = ({ at, state, words, more }: Sign) => (
  <li>
    <Mark state={state} />
    <span class="grow" dir="auto">
      {words}
      {more && (
        <span class="dim xs sub pre" dir="auto">
          {more}
        </span>
      )}
    </span>
    <span class="dim xs">
      <Time at={at} />
    </span>
  </li>
);
