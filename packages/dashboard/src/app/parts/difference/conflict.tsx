import { useEffect, useRef } from "preact/hooks";
import { isOutdated } from "../../data/calls/act.ts";
import { Panel } from "../basic/basic.tsx";
import { Button } from "../basic/button.tsx";
import { Difference } from "./index.tsx";
import { rebased } from "./rebased.ts";
import { t } from "./texts.ts";

interface ConflictProps<Form extends object> {
  /** The form as it was when the editing began. */
  readonly base: Form;
  readonly theirs: Form;
  readonly mine: Form;
  /** Label of a member. */
  readonly nameOf?: (member: keyof Form & string) => string;
  /** Continues the editing from the other version, with the viewer's changes over it or without them. */
  readonly goOn: (next: Form, isKeeping: boolean) => unknown;
}

/** Somebody else has saved the record meanwhile: shows both changes side by side, with two ways to continue. */
export function Conflict<Form extends object>({ base, theirs, mine, nameOf, goOn }: ConflictProps<Form>) {
  const versions = { theirs, mine };
  const element = useRef<HTMLDivElement>(null);
  const isAsked = isOutdated.value;
  useEffect(() => {
    // A new version may arrive while the viewer types; only a refused save may move the focus.
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
