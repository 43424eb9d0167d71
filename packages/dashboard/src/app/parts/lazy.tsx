import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { asError } from "../data/load.ts";
import { Failed, Outline } from "./states.tsx";

interface LazyProps<Module> {
  readonly load: () => Promise<Module>;
  readonly part: (module: Module) => JSX.Element;
}

/** A part that is loaded when it is first shown. */
export function Lazy<Module>({ load, part }: LazyProps<Module>) {
  const [found, setFound] = useState<{ readonly module?: Module; readonly error?: unknown }>({});
  useEffect(() => {
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
