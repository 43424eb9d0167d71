import { useState } from "preact/hooks";
import { useLoad } from "../../data/calls/load.ts";
import { say } from "../../data/calls/said.ts";
import { api } from "../../data/calls/session.ts";
import { listed, titleOf } from "../../data/records/lists.ts";
import { Button } from "../../parts/basic/button.tsx";
import { Dialog } from "../../parts/basic/dialog.tsx";
import { WhenLoaded } from "../../parts/basic/states.tsx";
import { Field, Select, TextInput } from "../../parts/forms/fields.tsx";
import { t as frame } from "../../texts/words/frame.ts";
import { t } from "./texts.ts";

const DAY = 86_400;

interface Asked {
  readonly title: string;
  readonly group: string;
}

/** Quotes any text as one shell argument. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function commandOf(base: string, token: string, { title, group }: Asked): string {
  const query = new URLSearchParams({ t: token, ...(title ? { title } : {}), ...(group ? { groups: group } : {}) });
  return `curl -s ${quoted(`${base.replace(/\/$/, "")}/api/app/satellite/install?${query}`)} | sudo sh`;
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say({ text: frame("copied") });
  } catch {
    say({ tone: "crit", text: t("copyByHand") });
  }
}

const Command = ({ text }: { readonly text: string }) => (
  <div class="install">
    <pre class="code" tabIndex={0} aria-label={t("command")}>
      {text}
    </pre>
    <Button icon="copy" label={`${frame("copy")}: ${t("command")}`} onClick={() => copy(text)}>
      {frame("copy")}
    </Button>
  </div>
);

/** The command that installs a satellite on a machine, with a token that is valid for a day. */
export function Install({ onClose }: { readonly onClose: () => void }) {
  const [title, setTitle] = useState("");
  const [group, setGroup] = useState("");
  const made = useLoad("satellite token", (signal) => api.getSatelliteToken({ expires: DAY }, { signal }));
  const groups = (listed("groups") ?? []).map(({ id }) => ({ value: id, title: titleOf("groups", id) }));
  return (
    <Dialog title={t("add")} onClose={onClose}>
      <div class="body stack">
        <p class="sm dim">{t("addWhy")}</p>
        <div class="form">
          <Field label={t("titleOptional")} help={t("titleHelp")}>
            {(id, describedBy) => <TextInput id={id} describedBy={describedBy} value={title} onInput={setTitle} />}
          </Field>
          <Field label={t("group")} help={t("groupHelp")}>
            {(id, describedBy) => (
              <Select
                id={id}
                describedBy={describedBy}
                choices={[{ value: "", title: t("byName") }, ...groups]}
                value={group}
                onInput={setGroup}
              />
            )}
          </Field>
        </div>
        <WhenLoaded of={made} rows={2}>
          {({ token, base_url }) => <Command text={commandOf(base_url, token, { title, group })} />}
        </WhenLoaded>
        <p class="xs dimmer">{t("goodFor")}</p>
      </div>
    </Dialog>
  );
}
