import type { ComponentChildren } from "preact";
import type { Loaded } from "../data/calls/load.ts";
import { Head } from "../parts/basic/basic.tsx";
import { Empty, Failed, Outline } from "../parts/basic/states.tsx";
import { href } from "../router/router.ts";
import { t } from "../texts/words/frame.ts";
import { type Crumb, crumbs } from "./crumbs.ts";

interface NothingProps {
  readonly title: string;
  /** Where to go from here. */
  readonly to: Crumb | undefined;
  readonly children: ComponentChildren;
}

/** A page in place of one that there is not: why, and a way on. */
export const Nothing = ({ title, to, children }: NothingProps) => (
  <>
    <Head title={title} />
    <section class="panel" aria-label={title}>
      <Empty
        action={
          to?.href && (
            <a class="btn" href={to.href}>
              {to.title}
            </a>
          )
        }
      >
        {children}
      </Empty>
    </section>
  </>
);

/** In place of a record that there is not: why, and the way to the list of the others, where the path to the page begins. */
export const Gone = ({ children }: Pick<NothingProps, "children">) => (
  <Nothing title={t("gone")} to={crumbs.value[0]}>
    {children}
  </Nothing>
);

/** In place of a page that the viewer may not open. */
export const Refused = ({ why }: { readonly why: string }) => (
  <Nothing title={t("noRight")} to={{ title: t("home"), href: href("/") }}>
    {why}
  </Nothing>
);

interface MissingProps {
  readonly of: Loaded<unknown>;
  /** Why there may be none. */
  readonly gone: string;
}

/** In place of a record that has not come: that there is none, why it could not be loaded, or its outline. */
export function Missing({ of, gone }: MissingProps) {
  const error = of.error.value;
  if (error?.code === "notfound") return <Gone>{gone}</Gone>;
  return error ? <Failed error={error} onRetry={of.reload} /> : <Outline rows={10} />;
}
