import { useState } from "preact/hooks";
import { act } from "../../../data/calls/act.ts";
import { api, can, viewer } from "../../../data/calls/session.ts";
import { activeJobs } from "../../../data/records/counts.ts";
import { listed } from "../../../data/records/lists.ts";
import { Button } from "../../../parts/basic/button.tsx";
import { Field, TextInput } from "../../../parts/forms/fields.tsx";
import { FormDialog } from "../../../parts/forms/form-dialog.tsx";
import { t as frame } from "../../../texts/words/frame.ts";
import { t } from "../texts.ts";
import { Chore, isWord } from "./chore.tsx";

/** Re-encrypts all secrets with a new key. Only accounts with their own password may request it. */
export function Rotation() {
  const [isOpen, setOpen] = useState(false);
  if (!can("admin") || viewer.value?.kind !== "user") return null;
  return (
    <Chore title={t("rotation")} help={t("rotationHelp")}>
      <Button kind="danger" icon="key" onClick={() => setOpen(true)}>
        {t("rotate")}
      </Button>
      {isOpen && <Form onClose={() => setOpen(false)} />}
    </Chore>
  );
}

function Form({ onClose }: { readonly onClose: () => void }) {
  const [password, setPassword] = useState("");
  const [word, setWord] = useState("");
  const jobs = activeJobs.ids.value.length;
  const rotate = async (): Promise<void> => {
    const begun = await act("rotate key", { run: () => api.adminRotateSecretKey({ password }), done: t("started") });
    if (begun) onClose();
  };
  return (
    <FormDialog
      title={t("rotateTitle")}
      onClose={onClose}
      onSubmit={rotate}
      verb={t("rotate")}
      isDanger
      isReady={isWord(word, t("rotateWord")) && password !== ""}
      hasText
    >
      <ul class="stack">
        <li>{t("rotateSecrets", { n: listed("secrets")?.length ?? 0 })}</li>
        <li>{t("rotateJobs", { n: jobs })}</li>
        <li>{t("rotateScheduler")}</li>
        <li>{t("rotateAgents")}</li>
        <li>{t("rotateLinks")}</li>
      </ul>
      <Field label={frame("typeToConfirm", { name: t("rotateWord") })}>
        {(id) => <TextInput id={id} value={word} onInput={setWord} />}
      </Field>
      <Field label={t("password")} help={t("passwordHelp")}>
        {(id, describedBy) => (
          <TextInput id={id} describedBy={describedBy} type="password" value={password} onInput={setPassword} />
        )}
      </Field>
    </FormDialog>
  );
}
