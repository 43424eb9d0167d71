import { catalogue } from "../../texts/catalogue.ts";

export const channelsTexts = {
  title: "Channels",
  create: "Create channel",
  empty:
    "There are no channels. A channel tells several people and systems at once; actions of events and alerts use it.",
  removal: "Actions and receivers that use it will fail: nobody is told through it any more.",
  tells: "Tells",
  nobody: "Nobody",
  users: "People",
  usersHelp: "User names. They get a mail, and a notice in these pages. Unknown names are skipped.",
  email: "Further addresses",
  emailHelp: "Separated by commas.",
  webHook: "Web hook",
  runEvent: "Event to run",
  sound: "Sound",
  soundHelp: "Name of an mp3 file, played with the notice.",
  maxPerDay: "Messages per day, at most",
  maxPerDayHelp: "Counted from midnight; 0 means no limit.",
  unbounded: "No limit",
} as const;
export const t = catalogue("channels", channelsTexts);
