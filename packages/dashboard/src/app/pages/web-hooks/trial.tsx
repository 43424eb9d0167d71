import { useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { useLoad } from "../../data/calls/load.ts";
import { say } from "../../data/calls/said.ts";
import { api, can } from "../../data/calls/session.ts";
import { Mark, Panel } from "../../parts/basic/basic.tsx";
import { Action } from "../../parts/basic/button.tsx";
import { WhenLoaded } from "../../parts/basic/states.tsx";
import { Markdown } from "../../parts/markdown/index.tsx";
import { Time } from "../../parts/time.tsx";
import { hasPage } from "../../router/find-page.ts";
import { href } from "../../router/router.ts";
import { deedWords } from "../../texts/words/deeds.ts";
import type { PartProps } from "../definitions/kind.ts";
import { t } from "./texts.ts";

type Result = Awaited<ReturnType<typeof api.testWebHook>>["result"];

/** Sends the web hook as edited, and shows the request and the response. */
export function Trial({ row: { id }, values }: PartProps) {
  const [result, setResult] = useState<Result>();
  if (!can("edit_web_hooks")) return null;
  const run = async (): Promise<void> => {
    const hook = { ...values, id } as unknown as Parameters<typeof api.testWebHook>[0];
    const answer = await act(`test ${id}`, { run: () => api.testWebHook(hook) });
    if (answer) setResult(answer.result);
  };
  const { code = 0, description = "", details = "" } = (result ?? {}) as Readonly<Record<string, string>>;
  const button = (
    <Action needs="edit_web_hooks" deed={`test ${id}`} kind="row" icon="play" run={run}>
      {t("test")}
    </Action>
  );
  return (
    <Panel title={t("trial")} more={button}>
      <div class="inner stack" role="status">
        {!result && <p class="dim sm">{t("trialHelp")}</p>}
        {result && (
          <>
            <p class="cell">
              <Mark state={code ? "fail" : "ok"} />
              <b dir="auto">{description}</b>
            </p>
            <Markdown text={details} />
          </>
        )}
      </div>
    </Panel>
  );
}

/** Deliveries that failed after all retries, with a button that sends them again. */
export function Deliveries({ row: { id } }: PartProps) {
  const mayEdit = can("edit_web_hooks");
  const found = useLoad(`deliveries ${id} ${mayEdit}`, async (signal) =>
    mayEdit ? (await api.getWebHookDeliveries({ web_hook: id }, { signal })).rows : [],
  );
  if (!mayEdit) return null;
  const resend = async (delivery: string): Promise<void> => {
    const sent = await act(`resend ${delivery}`, { run: () => api.resendWebHookDelivery({ id: delivery }) });
    if (sent) say(sent.delivery.delivered ? { text: t("arrived") } : { tone: "crit", text: t("failedAgain") });
    await found.reload();
  };
  return (
    <Panel title={t("failed")} count={found.data.value?.length}>
      <WhenLoaded of={found} rows={2}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="dim sm inner">{t("noFailed")}</p>
          ) : (
            <ul class="items talk">
              {rows.map((row) => (
                <Delivery key={row.id} row={row} onResend={() => resend(row.id)} />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </Panel>
  );
}

interface DeliveryProps {
  readonly row: Awaited<ReturnType<typeof api.getWebHookDeliveries>>["rows"][number];
  readonly onResend: () => unknown;
}

/** The job or alert that the delivery was about. A system hook has only the name of an action. */
const Occasion = ({ of: { type, about } }: { readonly of: DeliveryProps["row"] }) => {
  const path = type === "job" ? `/jobs/${about}` : `/alerts/${about}`;
  if (type === "system" || !hasPage(path)) return <span class="xs">{deedWords({ action: about })}</span>;
  return (
    <a class="xs" href={href(path)}>
      {t(`of.${type}`)}
    </a>
  );
};

/** A failed delivery: its body, and why it failed. */
const Delivery = ({ row, onResend }: DeliveryProps) => (
  <li class="said">
    <header>
      <Mark state={row.delivered ? "ok" : "fail"} />
      <Time at={row.date} />
      <span class="xs dim">{t("attempts", { n: row.attempts })}</span>
      <Occasion of={row} />
      <span class="grow" />
      {row.resendable && (
        <Action needs="edit_web_hooks" deed={`resend ${row.id}`} kind="row" icon="retry" run={onResend}>
          {t("resend")}
        </Action>
      )}
    </header>
    <details>
      <summary class="sm" dir="auto">
        {row.description}
      </summary>
      <Markdown text={row.details} />
    </details>
  </li>
);
