import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { number } from "../../texts/format.ts";
import { t } from "../../texts/words/frame.ts";
import { cssColour } from "./colours.ts";
import { Icon } from "./icon.tsx";

/** States, the most severe first. Each has its own shape, so that colour is not the only sign. */
export type StateName = "crit" | "fail" | "gone" | "warn" | "info" | "run" | "wait" | "abort" | "ack" | "hush" | "ok";
export type Tone = "ok" | "warn" | "crit" | "run" | "hush" | "none";

/** The colour of each state. */
export const TONES: Readonly<Record<StateName, Tone>> = {
  crit: "crit",
  fail: "crit",
  gone: "crit",
  warn: "warn",
  info: "none",
  run: "run",
  wait: "none",
  abort: "none",
  ack: "hush",
  hush: "hush",
  ok: "ok",
};

interface StateProps {
  readonly state: StateName;
  /** Replaces the usual word. */
  readonly label?: string;
}

/** The mark of a state, before a name. */
export const Mark = ({ state, label }: StateProps) => (
  <span class={`mark t-${TONES[state]}`}>
    <Icon name={state} label={label ?? t(`state.${state}`)} />
  </span>
);

/** A state in words, for the heads of pages. */
export const Pill = ({ state, label }: StateProps) => (
  <span class={`pill t-${TONES[state]}`}>
    <Icon name={state} />
    <span class="cut">{label ?? t(`state.${state}`)}</span>
  </span>
);

/** A count as people of the language write it: 2,007. */
const counted = (count: ComponentChildren): ComponentChildren => (typeof count === "number" ? number(count) : count);

interface PanelProps {
  readonly title: string;
  readonly count?: ComponentChildren;
  readonly note?: ComponentChildren;
  /** At the end of the head: a link such as "All jobs", or buttons. */
  readonly more?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Panel({ title, count, note, more, class: kind = "", children }: PanelProps) {
  const id = useId();
  return (
    <section class={`panel ${kind}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {count !== undefined && <span class="count">{counted(count)}</span>}
        {note !== undefined && <span class="note cut">{note}</span>}
        <span class="grow" />
        {more}
      </header>
      {children}
    </section>
  );
}

export const More = ({ href, children }: { readonly href: string; readonly children: ComponentChildren }) => (
  <a class="more" href={href}>
    {children}
  </a>
);

interface HeadProps {
  readonly title: ComponentChildren;
  readonly state?: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** A second line with facts. */
  readonly children?: ComponentChildren;
}

/** The head of a page: its only `h1`, a sentence, and buttons. */
export const Head = ({ title, state, note, actions, children }: HeadProps) => (
  <div class="head">
    {state}
    <h1 dir="auto">{title}</h1>
    {note !== undefined && <span class="sm dim num">{note}</span>}
    <span class="grow" />
    {actions && <div class="acts">{actions}</div>}
    {children && <div class="sub">{children}</div>}
  </div>
);

export interface TabItem {
  readonly href: string;
  readonly title: string;
  readonly count?: number | string | undefined;
  readonly isCurrent: boolean;
}

export const Tabs = ({ label, items }: { readonly label: string; readonly items: readonly TabItem[] }) => (
  <nav class="tabs" aria-label={label}>
    {items.map(({ href, title, count, isCurrent }) => (
      <a key={href} href={href} aria-current={isCurrent ? "page" : undefined}>
        {title}
        {count !== undefined && <span>{counted(count)}</span>}
      </a>
    ))}
  </nav>
);

export interface Fact {
  readonly name: string;
  readonly value: ComponentChildren;
}

/** Facts in a row. Undefined ones are left out. */
export const Facts = ({ facts }: { readonly facts: readonly (Fact | undefined)[] }) => (
  <dl class="facts">
    {facts.map(
      (fact) =>
        fact && (
          <div key={fact.name}>
            <dt>{fact.name}</dt>
            <dd dir="auto">{fact.value}</dd>
          </div>
        ),
    )}
  </dl>
);

/** Facts one below the other, for panels. */
export const Pairs = ({ facts }: { readonly facts: readonly (Fact | undefined)[] }) => (
  <dl class="kv">
    {facts.map(
      (fact) =>
        fact && [
          <dt key={`${fact.name} name`}>{fact.name}</dt>,
          <dd key={fact.name} dir="auto">
            {fact.value}
          </dd>,
        ],
    )}
  </dl>
);

interface SwatchProps {
  readonly color: string | null | undefined;
  /** Keeps an empty place when there is no colour, so that names in a list align. */
  readonly isKept?: boolean;
}

/** The colour that people gave a tag or category, as a square before its name. */
export function Swatch({ color, isKept = false }: SwatchProps) {
  const background = cssColour(color);
  if (background) return <i class="swatch" style={{ background }} />;
  return isKept ? <i class="swatch none" /> : null;
}
