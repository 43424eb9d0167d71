import type { ComponentChildren } from "preact";
import type { Loaded } from "../data/calls/load.ts";
import { boot } from "../data/calls/session.ts";
import { Head } from "../parts/basic/basic.tsx";
import { Empty, Failed, Outline } from "../parts/basic/states.tsx";
import { href, place } from "../router/router.ts";
import { t } from "../texts/words/frame.ts";
import { type Crumb, crumbs } from "./crumbs.ts";

interface NothingProps {
  readonly title: string;
  /** Where the viewer can go from here. */
  readonly to: Crumb | undefined;
  readonly children: ComponentChildren;
}

/** Stands in for a page that does not exist: the reason, and a link. */
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

/** Stands in for a record that does not exist: the reason, and a link to its list, the first breadcrumb. */
export const Gone = ({ children }: Pick<NothingProps, "children">) => (
  <Nothing title={t("gone")} to={crumbs.value[0]}>
    {children}
  </Nothing>
);

/** Stands above the entries in a record that somebody else has deleted meanwhile. */
export const Deleted = () => (
  <p class="banner" role="alert">
    {t("deletedMeanwhile")}
  </p>
);

/** Addresses at which something is made, changed or started. */
const CHANGES = /\/(?:new|edit|run)$/;

/** Stands in for a page that the viewer may not open, or that a read-only dashboard has not. */
export function Refused({ why }: { readonly why: string }) {
  const isFrozen = boot.value?.readOnly === true && CHANGES.test(place.value.path);
  return (
    <Nothing title={t(isFrozen ? "refused" : "noRight")} to={{ title: t("home"), href: href("/") }}>
      {isFrozen ? t("readOnly") : why}
    </Nothing>
  );
}

interface MissingProps {
  readonly of: Loaded<unknown>;
  /** Why the record may not exist. */
  readonly gone: string;
}

/**
 * Stands in for a record that is not loaded: it does not exist, the viewer may not see it, it could not be loaded, or its
 * outline while it loads.
 */
export function Missing({ of, gone }: MissingProps) {
  const error = of.error.value;
  if (error?.code === "notfound") return <Gone>{gone}</Gone>;
  if (error?.status === 403)
    return (
      <Nothing title={t("noRight")} to={crumbs.value[0]}>
        <span dir="auto">{error.description}</span>
      </Nothing>
    );
  return error ? <Failed error={error} onRetry={of.reload} /> : <Outline rows={10} />;
}
