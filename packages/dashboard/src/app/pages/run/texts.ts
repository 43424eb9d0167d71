import { catalogue } from "../../texts/catalogue.ts";

export const runTexts = {
  events: "Events",
  run: "Run",
  title: "Run {name}",
  gone: "There is no event {id} that you may see. It may have been deleted.",
  mayNot: "You may not run jobs here.",
  isOff: "The event is switched off, so this is a test: limits and actions of its category stay out of it.",
  noManual: "The event has no trigger that allows runs by hand, so this is a test.",
  fields: "Questions",
  parameters: "Parameters",
  noParameters: "Its plugin asks for nothing.",
  thisRun: "Only for this run",
  files: "Files",
  filesHelp: "They are given to the job as its input.",
  where: "Where",
  asPlanned: "As planned: {targets}",
  delay: "Start after so many minutes",
  delayHelp: "Empty = at once",
  asTest: "As a test: without limits and actions of category and configuration",
  start: "Run now",
  test: "Run as a test",
  started: "{name} is started.",
} as const;

export const t = catalogue("run", runTexts);
