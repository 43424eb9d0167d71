import { act } from "../../data/calls/act.ts";
import { forgetLoaded } from "../../data/calls/load.ts";
import { api, can } from "../../data/calls/session.ts";
import { titleOf } from "../../data/records/lists.ts";
import { Panel } from "../../parts/basic/basic.tsx";
import { Action } from "../../parts/basic/button.tsx";
import { confirm } from "../../parts/basic/dialog.tsx";
import { TextInput } from "../../parts/forms/fields.tsx";
import { list } from "../../texts/format.ts";
import { nameColumn, textColumn } from "../definitions/columns.tsx";
import { pageOf } from "../definitions/index.tsx";
import {
  ADMIN,
  type ControlProps,
  type Definition,
  type DefinitionField,
  type PartProps,
  type Values,
} from "../definitions/kind.ts";
import { activeField, limitFields, rolesField, Sections, useUsers } from "./holders.tsx";
import { May, mayText } from "./may.tsx";
import { t } from "./texts.ts";

/** Edits a password, which is write-only. */
const Password = ({ id, value, onInput, isDisabled, values }: ControlProps) => (
  <TextInput
    id={id}
    isDisabled={isDisabled}
    type="password"
    autocomplete="new-password"
    value={String(value ?? "")}
    onInput={onInput}
    isRequired={values["id"] === undefined}
  />
);

const fields: readonly DefinitionField[] = [
  {
    member: "username",
    label: () => t("username"),
    help: () => t("usernameHelp"),
    kind: "text",
    isRequired: true,
    isFixed: true,
  },
  { member: "full_name", label: () => t("fullName"), kind: "text", isRequired: true },
  { member: "email", label: () => t("email"), kind: "text", isRequired: true },
  {
    member: "password",
    kind: "own",
    isSealed: true,
    Control: Password,
    isFixed: true,
    label: () => t("password"),
    help: () => t("passwordHelp"),
  },
  { member: "send_email", kind: "check", isFixed: true, label: () => t("welcome"), help: () => t("welcomeHelp") },
  {
    member: "new_password",
    kind: "own",
    isSealed: true,
    Control: Password,
    when: ({ id }) => id !== undefined,
    label: () => t("newPassword"),
    help: () => t("newPasswordHelp"),
  },
  activeField,
  { member: "force_password_change", label: () => t("mustChange"), kind: "check" },
  rolesField,
  ...limitFields,
];

function Lead({ row: { id, title, force_password_reset: isLocked }, values }: PartProps) {
  const logOut = async (): Promise<void> => {
    const question = { title: t("logOutTitle", { name: title }), text: t("logOutWhy"), verb: t("logOut") };
    if (!(await confirm(question))) return;
    await act(`log out ${id}`, {
      run: () => api.adminLogoutAll({ username: id }),
      done: t("loggedOut", { name: title }),
    });
  };
  const unlock = () =>
    act(`unlock ${id}`, {
      run: () => api.userAdminUpdate({ username: id, unlock: true }),
      done: t("unlocked", { name: title }),
    });
  return (
    <>
      {(isLocked || can("admin")) && (
        <Panel title={t("sessions")}>
          <div class="inner stack">
            <p class="dim sm">{t(isLocked ? "locked" : "sessionsHelp")}</p>
            <div class="acts">
              {isLocked ? (
                <Action needs="admin" deed={`unlock ${id}`} run={unlock}>
                  {t("unlock")}
                </Action>
              ) : null}
              <Action needs="admin" deed={`log out ${id}`} icon="out" run={logOut}>
                {t("logOut")}
              </Action>
            </div>
          </div>
        </Panel>
      )}
      <May values={{ ...values, enabled: values["active"] }} />
    </>
  );
}

type CreateInput = Parameters<typeof api.userAdminCreate>[0];
type UpdateInput = Parameters<typeof api.userAdminUpdate>[0];
const rolesOf = ({ roles }: Definition): string =>
  Array.isArray(roles) ? list(roles.map((id) => titleOf("roles", String(id)))) : "";

export const Page = pageOf({
  path: "/people",
  icon: "people",
  texts: () => ({ title: t("users"), create: t("createUser"), empty: t("noUsers"), summary: t("summary") }),
  removal: ({ id }) => t("userRemoval", { name: id }),
  isTyped: true,
  useRows: useUsers,
  needs: ADMIN,
  columns: [
    { ...nameColumn("/people"), title: () => t("fullName") },
    textColumn(
      "username",
      () => t("username"),
      ({ id }) => id,
      { width: "9rem", rank: 2 },
    ),
    textColumn(
      "email",
      () => t("email"),
      ({ email }) => String(email ?? ""),
    ),
    textColumn("roles", () => t("roles"), rolesOf, { rank: 2 }),
    textColumn("may", () => t("may"), mayText, { width: "9rem", rank: undefined }),
  ],
  fields,
  draft: () => ({ username: "", full_name: "", email: "", password: "", active: true, roles: [] }),
  async create(values: Values) {
    await api.userAdminCreate(values as unknown as CreateInput);
    forgetLoaded();
    return String(values["username"]);
  },
  update: (id, values) => api.userAdminUpdate({ ...values, username: id } as UpdateInput),
  remove: (id) => api.userAdminDelete({ username: id }),
  Above: Sections,
  Lead,
});
