import type { Transfer } from "../../kernel/plugins/transfer.ts";
import { eventCollection, eventHistoryCollection, eventStateCollection } from "./collection.ts";
import { Event } from "./model.ts";

/** Members that events of other systems may leave out. */
const DEFAULTS = {
  ...{ enabled: true, params: {}, fields: [], targets: [], algo: "random" },
  ...{ triggers: [], limits: [], actions: [], revision: 1 },
};

/** Definitions, workflows among them, with the state of their schedules and their job history. */
export const eventTransfer: Transfer = {
  lists: {
    events: {
      ...{ collection: eventCollection, shape: Event, definition: "event" },
      companions: [eventStateCollection, eventHistoryCollection],
      take: (members) => ({ ...DEFAULTS, ...members }),
    },
  },
  own: [eventStateCollection, eventHistoryCollection],
};
