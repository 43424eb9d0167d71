import { catalogue } from "../../texts/catalogue.ts";

export const secretsTexts = {
  title: "Secrets",
  create: "New secret",
  empty:
    "There are no secrets. A secret holds passwords and tokens, sealed, and gives them to the jobs that it is assigned to.",
  removal: {
    one: "Its values are gone for good. 1 reader gets nothing from then on; jobs that run keep what they were given.",
    other:
      "Its values are gone for good. {n} readers get nothing from then on; jobs that run keep what they were given.",
  },
  variables: "Variables",
  values: "Values",
  valuesHelp: "Saved values are never shown here again. Replacing replaces all of them.",
  value: "Value",
  valueOf: "Value of {name}",
  variableName: "Name of the variable",
  addVariable: "Add a variable",
  sealed: "sealed",
  replace: "Replace all values",
  "to.events": "Events",
  "to.categories": "Categories",
  "to.plugins": "Plugins",
  "to.web_hooks": "Web hooks",
  readers: "Who may read it",
  readerCount: { one: "1 reader", other: "{n} readers" },
  noReaders: "Nothing is given its values.",
  itself: "named itself",
  byCategory: "through the category {name}",
  byPlugin: "through the plugin {name}",
  plugin: "plugin",
  webHook: "web hook",
  isOff: "It is switched off: nobody is given its values now.",
  people: "Of people, administrators alone may open it, and the activity log says who did.",
  opened: "Open the values",
  openedHelp: "Every opening leaves a row in the activity log.",
  openTitle: "Open {title}?",
  openWhy: "The values are shown on this screen for a minute. The activity log will say that you opened them.",
  open: "Open",
  hide: "Hide",
  copyOf: "Copy the value of {name}",
} as const;
export const t = catalogue("secrets", secretsTexts);
