import { useMemo, useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { api, can } from "../../data/calls/session.ts";
import { callingIn } from "../../data/records/counts.ts";
import { listed, listedOne } from "../../data/records/lists.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Gone } from "../../frame/gone.tsx";
import { Head, Pill } from "../../parts/basic/basic.tsx";
import { confirm } from "../../parts/basic/dialog.tsx";
import { Menu } from "../../parts/basic/menu.tsx";
import { Outline } from "../../parts/basic/states.tsx";
import { go, href } from "../../router/router.ts";
import { t as frame } from "../../texts/words/frame.ts";
import { firingState, worstOf } from "../alerts/state.ts";
import { type Group, GroupForm } from "../groups/form.tsx";
import { t } from "../groups/texts.ts";
import type { PageProps } from "../page.ts";
import { useRange } from "../server/charts/use-range.ts";
import { RangeBar } from "../server/index.tsx";
import { QuietDialog } from "../silences/quiet/quiet.tsx";
import { maySilence } from "../silences/quiet/scopes.ts";
import { SnapshotActs, useWatched } from "../snapshots/acts.tsx";
import { Bands } from "./bands.tsx";
import { Grid } from "./grid.tsx";

/** All servers of a group on one page. */
export function Page({ params: { id = "" } }: PageProps) {
  const group = listedOne("groups", id);
  const servers = listed("machines");
  const members = useMemo(() => (servers ?? []).filter(({ groups }) => groups.includes(id)), [servers, id]);
  const note = useWatched("groups", id);
  useCrumbs([{ title: t("title"), href: href("/groups") }, { title: group?.title ?? id }]);
  if (!listed("groups")) return <Outline rows={10} />;
  if (!group) return <Gone>{t("gone")}</Gone>;
  const firings = callingIn(id);
  const calling = firings.length;
  const worst = worstOf(firings);
  const name = group.title;
  const range = useRange({ isLive: false });
  return (
    <>
      <Head
        title={
          calling > 0 ? t("firesOn", { n: calling, group: name }) : t("calmIn", { n: members.length, group: name })
        }
        state={<Pill state={worst ? firingState(worst) : "ok"} label={t(worst ? "fires" : "calm")} />}
        note={note}
        actions={<Acts group={group} />}
      />
      <Grid group={id} members={members} />
      <RangeBar range={range} isLive={false} />
      <Bands group={id} members={members} range={range} />
    </>
  );
}

async function remove(id: string, name: string): Promise<void> {
  if (!(await confirm({ title: t("removeSure", { name }), text: t("removeWhy"), verb: t("remove") }))) return;
  if (await act(`delete ${id}`, { run: () => api.deleteGroup({ id }), done: t("removed", { name }) }))
    await go("/groups");
}

function Acts({ group }: { readonly group: Group }) {
  const [open, setOpen] = useState<"edit" | "silence" | undefined>(undefined);
  const { id, title: name } = group;
  return (
    <>
      <SnapshotActs kind="groups" id={id} name={name} />
      <Menu
        label={`${frame("more")}: ${name}`}
        items={[
          maySilence({ groups: [id] }) && { title: t("silence"), icon: "hush", run: () => setOpen("silence") },
          can("edit_groups") && { title: t("edit"), icon: "edit", run: () => setOpen("edit") },
          can("delete_groups") && { title: t("remove"), icon: "trash", isDanger: true, run: () => remove(id, name) },
        ]}
      />
      {open === "silence" && <QuietDialog about={{ groups: [id] }} onClose={() => setOpen(undefined)} />}
      {open === "edit" && <GroupForm group={group} onClose={() => setOpen(undefined)} />}
    </>
  );
}
