import type { Translated } from "../../texts/catalogue.ts";
import type { loginTexts } from "./texts.ts";

export const login: Translated<typeof loginTexts> = {
  title: "Anmelden",
  ended: "Ihre Sitzung ist zu Ende. Melden Sie sich an, und Sie sind wieder auf der Seite, auf der Sie waren.",
  endedHere: "Ihre Sitzung ist beendet. Was Sie eingegeben haben, ist noch da: Melden Sie sich wieder als {name} an.",
  replaced:
    "{other} hat sich in einem anderen Fenster dieses Browsers angemeldet. Was von hier gefragt wird, wird nun für {other} beantwortet; darum ist diese Seite von {name} verborgen. Was in ihr eingegeben wurde, bleibt, bis Sie wählen.",
  goOnAs: "Weiter als {other}",
  signInAs: "Als {name} anmelden",
  leaveIt: "Eingaben verwerfen",
  user: "Benutzername",
  password: "Passwort",
  submit: "Anmelden",
  forgot: "Passwort vergessen?",
  forgotHelp: "An die Adresse des Kontos geht eine Mail mit einem Link. Mit ihm wählen Sie ein neues Passwort.",
  email: "Mail-Adresse",
  sendMail: "Mail senden",
  linkBroken:
    "Dieser Link geht nicht: Er wurde schon benutzt, ist älter als ein Tag, oder ihm fehlt ein Teil. Fordern Sie einen neuen an.",
  mailSent: "Wenn es dieses Konto gibt, ist eine Mail unterwegs.",
  newPassword: "Neues Passwort",
  newPasswordOf: "Des Kontos {name}. Seine offenen Sitzungen enden.",
  setPassword: "Passwort setzen",
  passwordSet: "Das Passwort ist gesetzt. Melden Sie sich damit an.",
  toLogin: "Zur Anmeldung",
  network: "Der Server ist nicht erreichbar.",
  cookie:
    "Das Passwort stimmt, aber dieser Browser schickt das Cookie der Sitzung nicht zurück. Vielleicht sind Cookies aus, das Cookie gilt nur für https, oder ein Proxy ändert den Pfad dieser Seite.",
};
