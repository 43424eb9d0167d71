import { SignalboxError } from "@signalbox/client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { connection, reconnect } from "../data/live.ts";
import { t } from "../texts/words/frame.ts";
import { Failed, Outline } from "./basic/states.tsx";

interface LazyProps<Module> {
  readonly load: () => Promise<Module>;
  readonly part: (module: Module) => JSX.Element;
  /** Called when the part could not be loaded; a message takes its place. */
  readonly onMissing?: () => void;
}

const known = new WeakMap<() => Promise<unknown>, unknown>();

/** Loads a part ahead of time, so that it is drawn at once. */
export async function loadEarly(load: () => Promise<unknown>): Promise<void> {
  known.set(load, await load());
}

/**
 * Browsers remember that a script failed to load, and the file may be gone because the server runs another version now. So the
 * page is reloaded, but only while the server can be reached.
 */
const again = (): void => (connection.peek() === "lost" ? reconnect() : location.reload());

/** A part that is loaded when it is first rendered. */
export function Lazy<Module>({ load, part, onMissing }: LazyProps<Module>) {
  const [found, setFound] = useState<{ readonly module?: Module; readonly isMissing?: true }>(() => {
    const module = known.get(load) as Module | undefined;
    return module ? { module } : {};
  });
  useEffect(() => {
    if (found.module) return;
    let isHere = true;
    load().then(
      (module) => isHere && setFound({ module }),
      () => {
        if (!isHere) return;
        onMissing?.();
        setFound({ isMissing: true });
      },
    );
    return () => {
      isHere = false;
    };
  }, [load]);
  if (found.module) return part(found.module);
  if (found.isMissing) return <Failed error={new SignalboxError("page", t("noPart"))} onRetry={again} />;
  return <Outline rows={8} />;
}
