import type { Transfer } from "../../kernel/plugins/transfer.ts";
import { eventCollection, eventHistoryCollection, eventStateCollection } from "./collection.ts";
import { Event } from "./model.ts";

/** Defaults for members that events of other systems may lack. */
const DEFAULTS = {
  enabled: true,
  params: {},
  fields: [],
  targets: [],
  algo: "random",
  triggers: [],
  limits: [],
  actions: [],
  revision: 1,
};

/** Definitions, including workflows, with the state of their schedules and their job history. */
export const eventTransfer: Transfer = {
  lists: {
    events: {
      collection: eventCollection,
      shape: Event,
      definition: "event",
      companions: [eventStateCollection, eventHistoryCollection],
      take: (members) => ({ ...DEFAULTS, ...members }),
    },
  },
  own: [eventStateCollection, eventHistoryCollection],
};
