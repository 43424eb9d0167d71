import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { asError } from "../data/load.ts";
import { Failed, Outline } from "./states.tsx";

interface LazyProps<Module> {
  readonly load: () => Promise<Module>;
  readonly part: (module: Module) => JSX.Element;
}

const known = new WeakMap<() => Promise<unknown>, unknown>();

/** Loads a part before it is shown: then it is drawn at once. */
export async function loadEarly(load: () => Promise<unknown>): Promise<void> {
  known.set(load, await load());
}

/** A part that is loaded when it is first shown. */
export function Lazy<Module>({ load, part }: LazyProps<Module>) {
  const [found, setFound] = useState<{ readonly module?: Module; readonly error?: unknown }>(() => {
    const module = known.get(load) as Module | undefined;
    return module ? { module } : {};
  });
  useEffect(() => {
    if (found.module) return;
    let isHere = true;
    load().then(
      (module) => isHere && setFound({ module }),
      (error: unknown) => isHere && setFound({ error }),
    );
    return () => {
      isHere = false;
    };
  }, [load]);
  if (found.module) return part(found.module);
  if (found.error) return <Failed error={asError(found.error)} onRetry={() => location.reload()} />;
  return <Outline rows={8} />;
}
