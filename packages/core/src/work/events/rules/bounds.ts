/** The last second of the year 2200; before 1970 there is none either. Unix seconds. */
export const MAX_EPOCH = Date.UTC(2201, 0, 1) / 1000 - 1;
/** Of one event: each is looked at in every minute, and in every day of a preview. */
export const MAX_TRIGGERS = 100;
/** Seconds of a minute. */
export const MAX_SECONDS = 60;
/** Values in one list of a pattern; none has more different ones within the years allowed. */
export const MAX_VALUES = 366;
