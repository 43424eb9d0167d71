import { useEffect, useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { api, can } from "../../data/calls/session.ts";
import { useNodeNames } from "../../data/nodes.ts";
import { firing } from "../../data/records/counts.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { diskFirstFull } from "../../data/series/disk-full.ts";
import { Facts, Head, Pill } from "../../parts/basic/basic.tsx";
import { confirm } from "../../parts/basic/dialog.tsx";
import { Menu } from "../../parts/basic/menu.tsx";
import { hasPage } from "../../router/find-page.ts";
import { go } from "../../router/router.ts";
import { age, bytes, duration, exact, list, now } from "../../texts/format.ts";
import { t as frame } from "../../texts/words/frame.ts";
import { firingState, worstOf } from "../alerts/state.ts";
import { isDisk } from "../servers/machines.ts";
import { QuietDialog } from "../silences/quiet/quiet.tsx";
import { maySilence } from "../silences/quiet/scopes.ts";
import { SnapshotActs, useWatched } from "../snapshots/acts.tsx";
import { EditServer } from "./edit.tsx";
import type { ShownServer } from "./index.tsx";
import { t } from "./texts.ts";

interface HeadProps {
  readonly shown: ShownServer;
  readonly name: string;
  /** True once the charts have been rendered; the disk forecast and the names of nodes are loaded after them. */
  readonly isDrawn: boolean;
  readonly reload: () => Promise<void>;
}

interface Info {
  readonly os?: { readonly distro?: string; readonly release?: string };
  readonly cpu?: { readonly cores?: number };
  readonly memory?: { readonly total?: number };
  readonly arch?: string;
  readonly booted?: number;
  readonly satellite?: string;
}

/** State in a sentence, actions and facts. */
export function ServerHead(props: HeadProps) {
  const { shown, name, isDrawn } = props;
  return (
    <>
      <Head
        title={name}
        state={<ServerState shown={shown} />}
        note={useWatched("servers", shown.server.id, isDrawn)}
        actions={<Acts {...props} />}
      />
      <div class="panel hero">
        <ServerFacts shown={shown} isDrawn={isDrawn} />
      </div>
    </>
  );
}

function ServerState({ shown: { server, online } }: Pick<HeadProps, "shown">) {
  if (!online) return <Pill state="gone" label={t("offline")} />;
  const open = firing.value.filter((row) => row.server === server.id && !row.acknowledged);
  const worst = worstOf(open);
  if (worst) {
    const title = titleOf("alerts", worst.alert);
    return (
      <Pill state={firingState(worst)} label={open.length > 1 ? t("andMore", { title, n: open.length - 1 }) : title} />
    );
  }
  return server.enabled ? <Pill state="ok" label={t("online")} /> : <Pill state="abort" label={t("off")} />;
}

function ServerFacts({ shown, isDrawn }: Pick<HeadProps, "shown" | "isDrawn">) {
  const { server, online } = shown;
  const { os, cpu, memory, arch, booted, satellite } = server.info as Info;
  const system = [os?.distro, os?.release].filter(Boolean).join(" ");
  const size = [cpu?.cores && t("cores", { n: cpu.cores }), memory?.total && bytes(memory.total), arch].filter(Boolean);
  const full = useDiskFull(shown, isDrawn);
  const node = useNodeNames(isDrawn).get(server.node ?? "");
  return (
    <Facts
      facts={[
        { name: t("system"), value: [system, ...size].filter(Boolean).join(", ") || "–" },
        { name: t("address"), value: server.ip },
        { name: t("groups"), value: list(server.groups.map((id) => titleOf("groups", id))) || t("noGroups") },
        node === undefined ? undefined : { name: t("node"), value: node },
        booted ? { name: t("up"), value: online ? duration(now.value - booted) : "–" } : undefined,
        satellite ? { name: t("agent"), value: satellite } : undefined,
        { name: t("lastReport"), value: <Ago at={Number(shown.data["date"]) || server.modified} /> },
        full === undefined
          ? undefined
          : {
              name: t("diskFull"),
              value: (
                <span class="soon" title={exact(full)}>
                  {t("fullIn", { time: duration(Math.max(60, full - now.value)) })}
                </span>
              ),
            },
      ]}
    />
  );
}

const Ago = ({ at }: { readonly at: number }) => <span title={exact(at)}>{t("ago", { time: age(at) })}</span>;

/** When the first disk will be full; undefined for an offline server. */
function useDiskFull({ server: { id: server }, online }: ShownServer, isDrawn: boolean): number | undefined {
  const isAsked = isDrawn && online;
  const [at, setAt] = useState<number | undefined>(undefined);
  const monitors = (listed("monitors") ?? []).filter(isDisk).map(({ id }) => id);
  useEffect(() => {
    if (!isAsked) {
      setAt(undefined);
      return;
    }
    const own = new AbortController();
    const found = (time: number | undefined): void => {
      if (!own.signal.aborted) setAt(time);
    };
    // Without readings there is no forecast, and the fact is left out.
    diskFirstFull(server, monitors, own.signal).then(found, () => undefined);
    return () => own.abort();
  }, [server, isAsked, monitors.join()]);
  return at;
}

function Acts({ shown: { server, online }, name, reload }: HeadProps) {
  const [open, setOpen] = useState<"silence" | "edit" | undefined>(undefined);
  const { id } = server;
  const about = { of: { server: id }, groups: server.groups };
  return (
    <>
      {online && <SnapshotActs kind="servers" id={id} name={name} />}
      <Menu
        label={`${frame("more")}: ${name}`}
        items={[
          maySilence(about) && { title: t("silence"), icon: "hush", run: () => setOpen("silence") },
          { title: t("compare"), icon: "rule", run: () => go(`/servers/compare?a=${id}`) },
          hasPage("/snapshots") && {
            title: t("snapshots"),
            icon: "camera",
            run: () => go(`/snapshots?q=server%3A${id}`),
          },
          can("update_servers") && { title: t("edit"), icon: "edit", run: () => setOpen("edit") },
          can("admin") && { title: t("remove"), icon: "trash", isDanger: true, run: () => remove(id, name, online) },
        ]}
      />
      {open === "silence" && <QuietDialog about={about} onClose={() => setOpen(undefined)} />}
      {open === "edit" && <EditServer server={server} reload={reload} onClose={() => setOpen(undefined)} />}
    </>
  );
}

async function remove(id: string, name: string, online: boolean): Promise<void> {
  const text = online ? t("removeOnline") : t("removeOffline");
  if (!(await confirm({ title: t("removeSure", { name }), text, verb: t("remove"), typed: name }))) return;
  const done = await act(`remove ${id}`, {
    run: () => api.deleteServer({ id, history: true }),
    done: t("removed", { name }),
  });
  if (done) await go("/servers");
}
