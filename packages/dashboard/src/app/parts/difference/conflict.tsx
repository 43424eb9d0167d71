import { useEffect, useRef } from "preact/hooks";
import { isOutdated } from "../../data/calls/act.ts";
import { Panel } from "../basic/basic.tsx";
import { Button } from "../basic/button.tsx";
import { Difference } from "./index.tsx";
import { rebased } from "./rebased.ts";
import { t } from "./texts.ts";

interface ConflictProps<Form extends object> {
  /** The record when the editing began. */
  readonly base: Form;
  readonly theirs: Form;
  readonly mine: Form;
  /** Words for a member. */
  readonly nameOf?: (member: keyof Form & string) => string;
  /** Goes on over what the other has saved: with the own changes laid over it, or without them. */
  readonly goOn: (next: Form, isKeeping: boolean) => unknown;
}

/** Somebody else has saved the record meanwhile: both changes side by side, and two ways on. */
export function Conflict<Form extends object>({ base, theirs, mine, nameOf, goOn }: ConflictProps<Form>) {
  const versions = { theirs, mine };
  const element = useRef<HTMLDivElement>(null);
  const isAsked = isOutdated.value;
  useEffect(() => {
    // It may come while somebody types, who is left alone until a save is refused for it.
    if (!isAsked) return;
    element.current?.scrollIntoView({ block: "center" });
    element.current?.focus({ preventScroll: true });
  }, [isAsked]);
  return (
    <div ref={element} tabIndex={-1} role="alert">
      <Panel title={t("conflict")} class="conflict">
        <div class="versions">
          {(["theirs", "mine"] as const).map((whose) => (
            <section key={whose} aria-label={t(whose)}>
              <h3>{t(whose)}</h3>
              <Difference before={base} after={versions[whose]} nameOf={nameOf as (member: string) => string} />
            </section>
          ))}
        </div>
        <div class="acts">
          <Button onClick={() => goOn(rebased(base, mine, theirs), true)}>{t("keepMine")}</Button>
          <Button onClick={() => goOn(theirs, false)}>{t("takeTheirs")}</Button>
        </div>
      </Panel>
    </div>
  );
}
