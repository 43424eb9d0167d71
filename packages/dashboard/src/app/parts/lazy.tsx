import { SignalboxError } from "@signalbox/client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { connection, reconnect } from "../data/live.ts";
import { t } from "../texts/words/frame.ts";
import { Failed, Outline } from "./basic/states.tsx";

interface LazyProps<Module> {
  readonly load: () => Promise<Module>;
  readonly part: (module: Module) => JSX.Element;
  /** It could not be loaded, which is said in its place. */
  readonly onMissing?: () => void;
}

const known = new WeakMap<() => Promise<unknown>, unknown>();

/** Loads a part before it is shown: then it is drawn at once. */
export async function loadEarly(load: () => Promise<unknown>): Promise<void> {
  known.set(load, await load());
}

/**
 * Browsers keep it in mind that a script did not come, and the file may be gone as well, when the server has another version by now:
 * so the page begins anew, but not while there is no server to begin it from.
 */
const again = (): void => (connection.peek() === "lost" ? reconnect() : location.reload());

/** A part that is loaded when it is first shown. */
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
