import type { Translated } from "../../texts/catalogue.ts";
import type { loginTexts } from "./texts.ts";

export const login: Translated<typeof loginTexts> = {
  title: "Anmelden",
  user: "Benutzername",
  password: "Passwort",
  submit: "Anmelden",
  network: "Der Server ist nicht erreichbar.",
};
