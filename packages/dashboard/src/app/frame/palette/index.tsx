import { useMemo, useState } from "preact/hooks";
import { useLoad } from "../../data/calls/load.ts";
import { Dialog } from "../../parts/basic/dialog.tsx";
import { Icon } from "../../parts/basic/icon.tsx";
import { place, setQuery } from "../../router/router.ts";
import { createLists, findMore, type Hit, hitsOf } from "./find.ts";
import { t } from "./texts.ts";

function useHits(text: string): readonly Hit[] {
  const lists = useMemo(createLists, []);
  const found = useLoad(`find ${text}`, (signal) => findMore(text, signal, lists));
  return [...hitsOf(text), ...(found.data.value ?? [])];
}

/** One search over pages, records and actions. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState(place.peek().query["find"] ?? "");
  const [at, setAt] = useState(0);
  const hits = useHits(text.trim());
  const current = Math.min(at, hits.length - 1);
  const close = (): void => {
    if (place.peek().query["find"] !== undefined) setQuery({ find: undefined });
    onClose();
  };
  const choose = (hit: Hit | undefined): void => {
    if (!hit) return;
    close();
    void hit.run();
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Enter") choose(hits[current]);
    if (step === 0) return;
    event.preventDefault();
    setAt((current + step + hits.length) % Math.max(1, hits.length));
  };
  return (
    <Dialog title={t("title")} onClose={close}>
      <div class="palette">
        <Find
          text={text}
          current={hits[current] && `hit-${current}`}
          onText={(next) => {
            setText(next);
            setAt(0);
          }}
          onKey={onKey}
        />
        {hits.length === 0 && <p class="body dim">{t("nothing", { text })}</p>}
        {hits.length > 0 && <Hits hits={hits} current={current} onChoose={choose} />}
      </div>
    </Dialog>
  );
}

interface HitsProps {
  readonly hits: readonly Hit[];
  readonly current: number;
  readonly onChoose: (hit: Hit) => void;
}

const Hits = ({ hits, current, onChoose }: HitsProps) => (
  <div id="palette-hits" role="listbox" aria-label={t("open")} class="hits">
    {hits.map((hit, at) => (
      <button
        key={hit.id}
        id={`hit-${at}`}
        type="button"
        role="option"
        aria-selected={at === current}
        tabIndex={-1}
        onClick={() => onChoose(hit)}
      >
        <Icon name={hit.icon} />
        <span class="cut" dir="auto">
          {hit.title}
        </span>
        <span class="dimmer xs">{hit.kind}</span>
      </button>
    ))}
  </div>
);

interface FindProps {
  readonly text: string;
  /** Id of the result that Enter opens. */
  readonly current: string | undefined;
  readonly onText: (text: string) => void;
  readonly onKey: (event: KeyboardEvent) => void;
}

/** The search box; its keys move through the hits below. */
const Find = ({ text, current, onText, onKey }: FindProps) => (
  <label class="palette-find">
    <Icon name="search" />
    <input
      type="text"
      class="cut"
      list={undefined}
      aria-label={t("title")}
      aria-controls="palette-hits"
      aria-activedescendant={current}
      placeholder={t("hint")}
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
      onKeyDown={onKey}
      autofocus
    />
  </label>
);
