import { catalogue } from "../../texts/catalogue.ts";

export const runTexts = {
  events: "Events",
  run: "Run",
  title: "Run {name}",
  gone: "The event {id} does not exist, or you may not see it. It may have been deleted.",
  mayNot: "You may not run jobs here.",
  isOff: "The event is switched off, so this is a test: limits and actions of its category stay out of it.",
  noManual: "The event has no trigger that allows runs by hand, so this is a test.",
  fields: "Questions",
  parameters: "Parameters",
  noParameters: "Its plugin has no parameters.",
  thisRun: "Only for this run",
  files: "Files",
  filesHelp: "The job gets them as its input.",
  where: "Where",
  asPlanned: "As planned: {targets}",
  delay: "Start after (minutes)",
  delayHelp: "Empty = at once",
  asTest: "As a test: without limits and actions of category and configuration",
  start: "Run now",
  test: "Run as a test",
  started: "{name} is started.",
} as const;

export const t = catalogue("run", runTexts);
