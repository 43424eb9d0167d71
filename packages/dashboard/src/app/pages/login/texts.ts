import { catalogue } from "../../texts/catalogue.ts";

export const loginTexts = {
  title: "Sign in",
  ended: "Your session has ended. Sign in, and you are back on the page that you were on.",
  endedHere: "Your session has ended. What you entered is kept: sign in again as {name} to go on.",
  replaced:
    "{other} has signed in in another window of this browser. Requests from this page would now be answered for {other}, so this page of {name} is hidden. What was entered is kept until you choose.",
  goOnAs: "Go on as {other}",
  signInAs: "Sign in as {name}",
  leaveIt: "Discard what I entered",
  user: "User name",
  password: "Password",
  submit: "Sign in",
  forgot: "Forgot the password?",
  forgotHelp: "A mail with a link is sent to the address of the account. With it you choose a new password.",
  email: "Mail address",
  sendMail: "Send the mail",
  linkBroken:
    "This link does not work: it was used before, is older than a day, or a part of it is missing. Ask for another one.",
  mailSent: "If there is such an account, a mail is on its way.",
  newPassword: "New password",
  newPasswordOf: "For the account {name}. Its open sessions end.",
  setPassword: "Set the password",
  passwordSet: "The password is set. Sign in with it.",
  toLogin: "To the sign-in",
  network: "The server cannot be reached.",
  cookie:
    "The password is right, but this browser does not send the session cookie back. Cookies may be off, the cookie may be for https alone, or a proxy may change the path of this page.",
} as const;
export const t = catalogue("login", loginTexts);
