import { act } from "../../data/calls/act.ts";
import { api } from "../../data/calls/session.ts";
import { Panel } from "../../parts/basic/basic.tsx";
import { Action } from "../../parts/basic/button.tsx";
import { href } from "../../router/router.ts";
import type { PartProps } from "../definitions/kind.ts";
import { ROUTERS, useRoutes } from "../notices/data.ts";
import { t } from "./texts.ts";

const MOVES = [
  ["earlier", "up", -1],
  ["later", "down", 1],
] as const;

/** All routes in order, with buttons that move this one. */
export function Order({ row }: PartProps) {
  const found = useRoutes();
  const routes = (found.data.value ?? []).toSorted((a, b) => a.sort_order - b.sort_order);
  const at = routes.findIndex(({ id }) => id === row.id);
  const move = async (by: number): Promise<void> => {
    const next = routes.map(({ id }) => id);
    next.splice(at + by, 0, ...next.splice(at, 1));
    const items = next.map((id, sort_order) => ({ id, sort_order }));
    await act(`move ${row.id}`, { run: () => api.multiUpdateRoute({ items }) });
    await found.reload();
  };
  return (
    <Panel
      title={t("order")}
      more={MOVES.map(([name, icon, by]) => (
        <Action
          key={name}
          {...{ needs: ROUTERS.edit, deed: `move ${row.id}`, kind: "bare", icon, label: t(name), run: () => move(by) }}
          isDisabled={!routes[at + by]}
        />
      ))}
    >
      <ul class="linked">
        {routes.map(({ id, title }, index) => (
          <li key={id}>
            <span class="dim num">{index + 1}</span>
            <span class="cut grow" dir="auto">
              {id === row.id ? <b>{title}</b> : <a href={href(`/notices/routes/${id}`)}>{title}</a>}
            </span>
          </li>
        ))}
      </ul>
      <p class="dim xs inner">{t("orderHelp")}</p>
    </Panel>
  );
}
