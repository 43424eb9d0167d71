import { useState } from "preact/hooks";
import { act, isUnderWay } from "../../../data/calls/act.ts";
import { say } from "../../../data/calls/said.ts";
import { api, client } from "../../../data/calls/session.ts";
import { Panel } from "../../../parts/basic/basic.tsx";
import { Action } from "../../../parts/basic/button.tsx";
import { confirm } from "../../../parts/basic/dialog.tsx";
import { Drop } from "../../../parts/forms/drop.tsx";
import { Check, Select } from "../../../parts/forms/fields.tsx";
import { bytes } from "../../../texts/format.ts";
import { t } from "../texts.ts";
import { isBackup } from "./is-backup.ts";

const PARTS = ["lists", "indexes", "extras"] as const;

/** Exports everything to a file, and imports one. */
export const Backup = () => (
  <Panel title={t("backup")}>
    <ul class="items">
      <Export />
      <Import />
    </ul>
  </Panel>
);

function Export() {
  const [chosen, setChosen] = useState<readonly (typeof PARTS)[number][]>(PARTS);
  const download = async (): Promise<void> => {
    const order = Object.fromEntries(chosen.map((part) => [part, "all"]));
    const answer = await act("export", { run: () => api.getTransferToken(order), done: t("exportStarted") });
    // The token stands for the requested export; it works once, within a minute. The browser downloads the file.
    if (answer) location.assign(client.href("admin_export_data", { token: answer.token }));
  };
  return (
    <li class="chore">
      <div>
        <b>{t("export")}</b>
        <p class="sm dim">{t("exportHelp")}</p>
        {PARTS.map((part) => (
          <Check
            key={part}
            value={chosen.includes(part)}
            onInput={(isOn) => setChosen(PARTS.filter((one) => (one === part ? isOn : chosen.includes(one))))}
          >
            {t(`part.${part}`)}
          </Check>
        ))}
      </div>
      <div class="acts">
        <Action needs="admin" deed="export" icon="dl" isDisabled={chosen.length === 0} run={download}>
          {t("download")}
        </Action>
      </div>
    </li>
  );
}

const FORMATS = ["xyops", "cronicle"] as const;

function Import() {
  const [format, setFormat] = useState<(typeof FORMATS)[number]>("xyops");
  const take = async ([file]: readonly File[]): Promise<void> => {
    if (!file) return;
    if (format === "xyops" && !(await isBackup(file).catch(() => false)))
      return say({ tone: "crit", text: t("noBackup", { name: file.name }) });
    const text = t("importWhy", { name: file.name, size: bytes(file.size) });
    if (!(await confirm({ title: t("importTitle"), text, verb: t("import"), typed: file.name }))) return;
    await act("import", { run: () => api.adminImportData({ format }, { files: [file] }), done: t("importStarted") });
  };
  return (
    <li class="chore">
      <div>
        <b>{t("import")}</b>
        <p class="sm dim">{t("importHelp")}</p>
      </div>
      <div class="acts">
        <Select
          label={t("format")}
          choices={FORMATS.map((value) => ({ value, title: t(`format.${value}`) }))}
          value={format}
          onInput={(value) => setFormat(value as typeof format)}
        />
        <Drop isSingle label={t("chooseFile")} isBusy={isUnderWay("import")} onFiles={take} />
      </div>
    </li>
  );
}
