import type { Translated } from "../../texts/catalogue.ts";
import type { meTexts } from "./texts.ts";

export const me: Translated<typeof meTexts> = {
  title: "Ich",
  ofHost: "Angemeldet durch das Programm, zu dem diese Seiten gehören.",
  preferences: "Vorlieben",
  zone: "Zeitzone",
  zoneHelp: "In ihr stehen alle Zeiten auf diesen Seiten.",
  zoneOfHost: "Der Betreiber hat sie für alle gewählt.",
  singleKeys: "Kürzel aus einer einzigen Taste: j geht eine Liste hinab, a übernimmt",
  account: "Konto",
  name: "Name",
  email: "Mailadresse",
  newPassword: "Neues Passwort",
  newPasswordHelp: "Leer: Es bleibt. Ein neues beendet alle anderen Sitzungen.",
  oldPassword: "Ihr Passwort",
  oldPasswordHelp: "Beweist, dass Sie es sind.",
  profileSaved: "Ihr Konto ist gespeichert.",
  passwordChanged: "Ihr Passwort ist geändert; alle anderen Sitzungen sind beendet.",
  logins: "Was mit Ihrem Konto geschah",
  loginsHelp: "Wenn Sie etwas davon nicht kennen, ändern Sie Ihr Passwort.",
  noLogins: "Noch ist nichts bekannt.",
  sessions: "Sitzungen",
  sessionsHelp: "Beendet Ihre Sitzungen in allen anderen Browsern. Diese bleibt.",
  logOut: "Überall sonst abmelden",
  loggedOut: "Alle anderen Sitzungen enden.",
};
