import { useEffect, useRef } from "preact/hooks";
import { Panel } from "../basic/basic.tsx";
import { Button } from "../basic/button.tsx";
import { Difference } from "./index.tsx";
import { t } from "./texts.ts";

interface ConflictProps {
  /** The record when the editing began. */
  readonly base: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
  /** Words for a member. */
  readonly nameOf?: (member: string) => string;
  /** Goes on from theirs with the own changes laid over it. */
  readonly onKeep: () => void;
  /** Gives the own changes up. */
  readonly onTake: () => void;
}

/** Somebody else has saved the record meanwhile: both changes side by side, and two ways on. */
export function Conflict({ base, theirs, mine, nameOf, onKeep, onTake }: ConflictProps) {
  const versions = { theirs, mine };
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The versions stand at the top of a dialog, which may be scrolled to its end.
    if (element.current?.closest("dialog")) element.current.scrollIntoView({ block: "center" });
  }, []);
  return (
    <Panel title={t("conflict")} class="conflict">
      <div class="versions" role="alert" ref={element}>
        {(["theirs", "mine"] as const).map((whose) => (
          <section key={whose} aria-label={t(whose)}>
            <h3>{t(whose)}</h3>
            <Difference before={base} after={versions[whose]} {...(nameOf ? { nameOf } : {})} />
          </section>
        ))}
      </div>
      <div class="acts">
        <Button onClick={onKeep}>{t("keepMine")}</Button>
        <Button onClick={onTake}>{t("takeTheirs")}</Button>
      </div>
    </Panel>
  );
}
