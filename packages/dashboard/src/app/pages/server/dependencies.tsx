import { firing } from "../../data/records/counts.ts";
import { listed, listedOne, titleOf } from "../../data/records/lists.ts";
import { subjectOf, subjectPath } from "../../data/records/subjects.ts";
import { Mark, Panel } from "../../parts/basic/basic.tsx";
import { href } from "../../router/router.ts";
import type { ShownServer } from "./index.tsx";
import { t } from "./texts.ts";

/** Other servers and checks, in the form that `depends_on` uses. */
export const parentChoices = (own: string) => [
  ...(listed("servers") ?? [])
    .filter(({ id }) => id !== own)
    .map(({ id }) => ({ value: id, title: titleOf("servers", id) })),
  ...(listed("checks") ?? []).map(({ id, title }) => ({ value: `check:${id}`, title })),
];

/** Servers that this one depends on, and servers that depend on it, with their current states. */
export function Dependencies({ server: { id, depends_on } }: Pick<ShownServer, "server">) {
  const needing = (listed("servers") ?? []).filter((other) => other.depends_on?.includes(id)).map((other) => other.id);
  const parts = [
    ["dependsOn", depends_on ?? []],
    ["neededBy", needing],
  ] as const;
  const shown = parts.filter(([, places]) => places.length > 0);
  if (shown.length === 0) return null;
  return (
    <Panel title={t("dependencies")}>
      {shown.map(([name, places]) => (
        <section class="blk" key={name}>
          <h3>{t(name)}</h3>
          <ul class="linked">
            {places.map((place) => (
              <Place key={place} place={place} />
            ))}
          </ul>
        </section>
      ))}
    </Panel>
  );
}

function Place({ place }: { readonly place: string }) {
  const about = { server: place };
  const { type, id } = subjectOf(about);
  const calls = firing.value.some((row) => row.active && subjectOf(row).type === type && subjectOf(row).id === id);
  const isGone = type === "server" && listedOne("servers", id) === undefined;
  return (
    <li>
      {isGone ? (
        <Mark state="gone" label={t("offline")} />
      ) : (
        <Mark state={calls ? "crit" : "ok"} label={t(calls ? "fires" : "calm")} />
      )}
      <a class="grow cut" href={href(subjectPath(about) ?? "")} dir="auto">
        {titleOf(type === "server" ? "servers" : "checks", id)}
      </a>
    </li>
  );
}
