import { catalogue } from "../../texts/catalogue.ts";

export const loginTexts = {
  title: "Sign in",
  user: "User name",
  password: "Password",
  submit: "Sign in",
  network: "The server cannot be reached.",
} as const;
export const t = catalogue("login", loginTexts);
