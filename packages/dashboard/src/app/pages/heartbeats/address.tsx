import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { api, can } from "../../data/calls/session.ts";
import { Panel } from "../../parts/basic/basic.tsx";
import { Action, Button } from "../../parts/basic/button.tsx";
import { confirm } from "../../parts/basic/dialog.tsx";
import { t as common } from "../../texts/words/common.ts";
import { t } from "./texts.ts";

/** The newly created address. It is kept only in memory, until the viewer leaves the page. */
export const fresh = signal<{ readonly id: string; readonly url: string } | undefined>(undefined);

/** The address of a heartbeat, which is shown only once, and a button that replaces it. */
export function Address({ id, title: name }: { readonly id: string; readonly title: string }) {
  useEffect(
    () => () => {
      fresh.value = undefined;
    },
    [],
  );
  const deed = `rotate ${id}`;
  const rotate = async (): Promise<void> => {
    if (!(await confirm({ title: t("rotateTitle", { name }), text: t("rotateWhy"), verb: t("rotate") }))) return;
    const made = await act(deed, { run: () => api.rotateHeartbeatToken({ id }) });
    if (made) fresh.value = { id, url: made.url };
  };
  const url = fresh.value?.id === id ? fresh.value.url : undefined;
  if (!can("manage_checks")) return null;
  return (
    <Panel
      title={t("address")}
      more={
        <Action needs="manage_checks" deed={deed} kind="row" icon="key" run={rotate}>
          {t("rotate")}
        </Action>
      }
    >
      <div class="inner stack" role="status">
        {url === undefined ? <p class="dim sm">{t("addressHelp")}</p> : <Once url={url} />}
      </div>
    </Panel>
  );
}

function Once({ url }: { readonly url: string }) {
  const shown = useRef<HTMLElement>(null);
  // Moves focus to the address: the button that created it is above it, or gone in the case of a new heartbeat.
  useEffect(() => shown.current?.focus(), [url]);
  const copy = () => act("copy address", { run: () => navigator.clipboard.writeText(url), done: common("copied") });
  return (
    <>
      <code ref={shown} class="mono once" tabIndex={-1}>
        {url}
      </code>
      <p class="sm">{t("once")}</p>
      <div>
        <Button icon="copy" onClick={copy}>
          {common("copy")}
        </Button>
      </div>
    </>
  );
}
