import { wordsOf } from "../../data/calls/act.ts";
import { asError } from "../../data/calls/load.ts";
import { close, layers, type Shown, say, shown } from "../../data/calls/said.ts";
import { useKeys } from "../../data/keys.ts";
import { href } from "../../router/router.ts";
import { t } from "../../texts/words/frame.ts";
import { Mark } from "./basic.tsx";
import { Button } from "./button.tsx";

interface ToastsProps {
  /** The dialog that draws them; absent: the page. */
  readonly layer?: string;
  /** The dialog shows refusals itself. */
  readonly tellsRefusals?: boolean;
}

async function takeBack({ id, undo }: Pick<Shown, "id" | "undo">): Promise<void> {
  close(id);
  await undo?.().catch((reason: unknown) => say({ tone: "crit", text: wordsOf(asError(reason)) }));
}

function toTell({ layer, tellsRefusals = false }: ToastsProps): readonly Shown[] {
  if (layers.value.at(-1) !== layer) return [];
  return tellsRefusals ? shown.value.filter(({ tone }) => tone !== "crit") : shown.value;
}

/** Over a dialog, messages are at the top, because its buttons are at the bottom. */
const ABOVE = { insetBlock: "var(--s-5) auto" };

/** Messages. Ctrl or Command with Z undoes the newest deed, because its button is many Tab stops away. */
export function Toasts(props: ToastsProps) {
  const told = toTell(props);
  const last = told.findLast(({ undo }) => undo);
  useKeys(last ? { "mod+z": () => takeBack(last) } : {});
  return (
    <div class="toasts" role="status" style={props.layer === undefined ? undefined : ABOVE}>
      {told.map(({ id, text, tone = "ok", path, undo }) => (
        <div key={id} id={`toast-${id}`} class="toast">
          <Mark state={tone === "crit" ? "fail" : "ok"} />
          <span dir="auto">{text}</span>
          {path !== undefined && (
            <a class="btn row" href={href(path)} onClick={() => close(id)}>
              {t("open")}
            </a>
          )}
          {undo && (
            <Button kind="row" onClick={() => takeBack({ id, undo })}>
              {t("undo")}
            </Button>
          )}
          <Button kind="bare" icon="x" label={t("dismiss")} onClick={() => close(id)} />
        </div>
      ))}
    </div>
  );
}
