import type { SignalboxError } from "@signalbox/client";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Loaded } from "../../data/calls/load.ts";
import { boot, isLimited } from "../../data/calls/session.ts";
import { useLive } from "../../data/live.ts";
import { t as common } from "../../texts/words/common.ts";
import { t } from "../../texts/words/frame.ts";
import { Mark } from "./basic.tsx";
import { Button } from "./button.tsx";

interface EmptyProps {
  /** What would be listed here, and why there may be none. */
  readonly children: ComponentChildren;
  /** The one thing that the viewer can do here. */
  readonly action?: ComponentChildren;
}

export const Empty = ({ children, action }: EmptyProps) => (
  <div class="empty">
    <p>{children}</p>
    {action}
  </div>
);

/** Stands in for a list of which viewers see only the part in their reach: tells a limited viewer that there may be more. */
export const NoneInReach = ({ children, action }: EmptyProps) => (
  <Empty action={action}>{isLimited() ? common("noneInReach") : children}</Empty>
);

/** Shown above a form whose fields the viewer may not change. When the dashboard is read-only, the frame says so. */
export const LookOnly = () => (boot.value?.readOnly ? null : <p class="sm dim">{common("lookOnly")}</p>);

interface FailedProps {
  readonly error: SignalboxError;
  readonly onRetry?: () => unknown;
}

/**
 * A region that could not be loaded: what failed, why, and a button to try again, except where it would be refused again.
 * Retries by itself when a lost connection is back.
 */
export function Failed({ error, onRetry }: FailedProps) {
  useLive("back", () => onRetry?.());
  return (
    <div class="empty failed">
      <Mark state="fail" />
      <p>
        <b>{t("failed")}</b> <span dir="auto">{error.code === "network" ? t("network") : error.description}</span>{" "}
        <span class="mono dimmer">{error.code}</span>
      </p>
      {onRetry && error.status !== 404 && error.status !== 403 && <Button onClick={onRetry}>{t("tryAgain")}</Button>}
    </div>
  );
}

/** Nothing at first, then lines of the right height after 150 ms, so that quick answers do not flicker. */
export function Outline({ rows = 5 }: { readonly rows?: number }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class={isShown ? "outline shown" : "outline"} role="status" aria-label={t("loading")}>
      {Array.from({ length: rows }, (_, row) => (
        <i key={row} />
      ))}
    </div>
  );
}

interface WhenLoadedProps<Data> {
  readonly of: Loaded<Data>;
  /** Lines of the outline. */
  readonly rows?: number;
  readonly children: (data: Data) => ComponentChildren;
}

/** Shows the answer, or an outline or the error in its place. An older answer stays when a newer one fails. */
export function WhenLoaded<Data>({ of, rows, children }: WhenLoadedProps<Data>) {
  const data = of.data.value;
  const error = of.error.value;
  if (data !== undefined) return <>{children(data)}</>;
  if (error) return <Failed error={error} onRetry={() => of.reload()} />;
  return <Outline {...(rows === undefined ? {} : { rows })} />;
}
