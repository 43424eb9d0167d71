import { catalogue } from "../../texts/catalogue.ts";

export const meTexts = {
  title: "Me",
  ofHost: "Signed in by the program that these pages are part of.",
  preferences: "Preferences",
  zone: "Time zone",
  zoneHelp: "All times on these pages are shown in it.",
  zoneOfHost: "Set by the host for everybody.",
  singleKeys: "Shortcuts of a single key: j moves down a list, a acknowledges",
  account: "Account",
  name: "Name",
  email: "Mail address",
  newPassword: "New password",
  newPasswordHelp: "Empty: unchanged. A new one ends all other sessions.",
  oldPassword: "Your password",
  oldPasswordHelp: "To confirm that it is you.",
  profileSaved: "Your account is saved.",
  passwordChanged: "Your password is changed; all other sessions have ended.",
  logins: "What was done with your account",
  loginsHelp: "If you do not know one of these, change your password.",
  noLogins: "Nothing is recorded yet.",
  sessions: "Sessions",
  sessionsHelp: "Ends your sessions in all other browsers. This one stays.",
  logOut: "Log out everywhere else",
  loggedOut: "All other sessions end.",
} as const;
export const t = catalogue("me", meTexts);
