import { useEffect, useState } from "preact/hooks";
import { act } from "../../data/act.ts";
import { api, isAdmin } from "../../data/session.ts";
import { Panel } from "../../parts/basic.tsx";
import { Action, Button } from "../../parts/button.tsx";
import { confirm } from "../../parts/dialog.tsx";
import { t as common } from "../../texts/common.ts";
import type { PartProps } from "../definitions/kind.ts";
import { t } from "./texts.ts";

type Fields = Awaited<ReturnType<typeof api.decryptSecret>>["fields"];
/** Opened values leave the page after a minute. */
const SHOWN_MS = 60_000;

/** Opens the values after a question; the log says that somebody did. */
export function Opened({ row: { id, title } }: PartProps) {
  const [fields, setFields] = useState<Fields>();
  useEffect(() => {
    if (!fields) return;
    const timer = setTimeout(() => setFields(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [fields]);
  if (!isAdmin()) return null;
  const open = async (): Promise<void> => {
    const question = { title: t("openTitle", { title }), text: t("openWhy"), verb: t("open"), isDanger: false };
    if (!(await confirm(question))) return;
    const answer = await act(`open ${id}`, { run: () => api.decryptSecret({ id }) });
    if (answer) setFields(answer.fields);
  };
  return (
    <Panel title={t("opened")}>
      <div class="inner stack">
        {fields ? (
          <>
            <dl class="kv">
              {fields.map(({ name, value }) => [
                <dt key={name} class="mono">
                  {name}
                </dt>,
                <dd key={`${name} value`} class="mono">
                  {value} <Copy name={name} value={value} />
                </dd>,
              ])}
            </dl>
            <Button onClick={() => setFields(undefined)}>{t("hide")}</Button>
          </>
        ) : (
          <>
            <p class="dim sm">{t("openedHelp")}</p>
            <div>
              <Action needs="admin" deed={`open ${id}`} run={open}>
                {t("open")}
              </Action>
            </div>
          </>
        )}
      </div>
    </Panel>
  );
}

const Copy = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <Button
    kind="bare"
    icon="copy"
    label={t("copyOf", { name })}
    onClick={() => act(`copy ${name}`, { run: () => navigator.clipboard.writeText(value), done: common("copied") })}
  />
);
