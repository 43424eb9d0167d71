/** The last second of the year 2200, in Unix seconds. The lower bound is 1970. */
export const MAX_EPOCH = Date.UTC(2201, 0, 1) / 1000 - 1;
/** Most triggers of one event: each is evaluated in every minute, and for every day of a preview. */
export const MAX_TRIGGERS = 100;
/** Most seconds of a precision trigger: all seconds of one minute. */
export const MAX_SECONDS = 60;
/** Most values in one list of a pattern; no list has more different ones within the allowed years. */
export const MAX_VALUES = 366;
