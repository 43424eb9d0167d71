import { Panel } from "../../parts/basic/basic.tsx";
import { Button } from "../../parts/basic/button.tsx";
import { Difference } from "../../parts/difference/index.tsx";
import type { Event } from "../events/deeds.ts";
import type { Draft } from "./draft.ts";
import { t } from "./texts.ts";

interface ConflictProps {
  /** The event when the editing began. */
  readonly base: Event;
  readonly theirs: Event;
  readonly mine: Draft;
  /** Goes on from theirs with the own changes laid over it. */
  readonly onKeep: () => void;
  /** Gives the own changes up. */
  readonly onTake: () => void;
}

/** Somebody else has saved the event meanwhile: both changes side by side, and two ways on. */
export const Conflict = ({ base, theirs, mine, onKeep, onTake }: ConflictProps) => (
  <Panel title={t("conflict", { name: theirs.username ?? "" })} class="conflict">
    <div class="grid">
      <section class="c6" aria-label={t("theirs")}>
        <h3>{t("theirs")}</h3>
        <Difference before={base} after={theirs} />
      </section>
      <section class="c6" aria-label={t("mine")}>
        <h3>{t("mine")}</h3>
        <Difference before={base} after={mine} />
      </section>
    </div>
    <div class="acts">
      <Button onClick={onKeep}>{t("keepMine")}</Button>
      <Button onClick={onTake}>{t("takeTheirs")}</Button>
    </div>
  </Panel>
);
