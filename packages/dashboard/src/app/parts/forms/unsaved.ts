import { useEffect, useRef } from "preact/hooks";
import { guardLeaving } from "../../router/entries.ts";
import { t as frame } from "../../texts/words/frame.ts";
import { confirm } from "../basic/dialog.tsx";

interface Question {
  readonly title: string;
  readonly text: string;
}

/**
 * Asks before the viewer leaves unsaved entries, or what `lost` says would be lost. Returns a function that withdraws the question
 * at once.
 */
export function useUnsaved(isOn: boolean, lost?: Question): () => void {
  const back = useRef<() => void>(() => undefined);
  useEffect(() => {
    if (!isOn) return;
    const question = { title: frame("leave"), text: frame("leaveWhy"), ...lost, verb: frame("leaveYes") };
    back.current = guardLeaving(() => confirm(question));
    return back.current;
  }, [isOn]);
  return () => back.current();
}
