import { useState } from "preact/hooks";
import { act } from "../../data/calls/act.ts";
import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { Field, Select, TextInput } from "../../parts/forms/fields.tsx";
import { FormDialog } from "../../parts/forms/form-dialog.tsx";
import { list } from "../../texts/format.ts";
import { type Machine, nameOf } from "./machines.ts";
import { t } from "./texts.ts";

const STAGGER_SEC = 10;
/** Maximum number of servers listed by name; the others are only counted. */
const NAMED = 5;

interface UpgradeProps {
  readonly machines: readonly Machine[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Upgrades the agents of the selected servers one after the other. */
export function Upgrade({ machines, onClose, onDone }: UpgradeProps) {
  const [release, setRelease] = useState("");
  const [stagger, setStagger] = useState(String(STAGGER_SEC));
  const ready = machines.filter(({ isOnline }) => isOnline);
  const upgrade = async (): Promise<void> => {
    const targets = ready.map(({ record }) => record.id);
    const order = { targets, stagger: Number(stagger), ...(release ? { release } : {}) };
    const done = t("upgradeBegun", { n: targets.length });
    if (!(await act("upgrade agents", { run: () => api.adminUpgradeWorkers(order), done }))) return;
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title={t("upgradeTitle", { n: ready.length })}
      onClose={onClose}
      onSubmit={upgrade}
      verb={t("upgradeDo")}
      isReady={ready.length > 0}
      hasText
    >
      <p dir="auto">{whom(ready)}</p>
      <p class="sm dim">{t("upgradeWhy")}</p>
      {ready.length < machines.length && (
        <p class="sm dim">{t("upgradeGone", { n: machines.length - ready.length })}</p>
      )}
      <Release value={release} onInput={setRelease} />
      <Field label={t("stagger")} help={t("staggerHelp")}>
        {(id, describedBy) => (
          <TextInput id={id} describedBy={describedBy} type="number" value={stagger} onInput={setStagger} isRequired />
        )}
      </Field>
    </FormDialog>
  );
}

interface ReleaseProps {
  readonly value: string;
  readonly onInput: (release: string) => void;
}

/** Chooses a release. If the list of releases cannot be loaded, offers only the configured one. */
function Release({ value, onInput }: ReleaseProps) {
  const known = useLoad("satellite releases", (signal) => api.getSatelliteReleases({}, { signal }));
  const releases = (known.data.value?.releases ?? []).map(String);
  return (
    <Field label={t("release")} help={known.error.value ? t("noReleases") : undefined}>
      {(id, describedBy) => (
        <Select
          id={id}
          describedBy={describedBy}
          value={value}
          onInput={onInput}
          choices={[{ value: "", title: t("asConfigured") }, ...releases.map((one) => ({ value: one, title: one }))]}
        />
      )}
    </Field>
  );
}

function whom(machines: readonly Machine[]): string {
  if (machines.length === 0) return t("upgradeNobody");
  const names = machines.slice(0, NAMED).map(nameOf);
  const rest = machines.length - names.length;
  return list(rest > 0 ? [...names, t("andMore", { n: rest })] : names);
}
