const MINUTE = 60;

/**
 * Seconds after an end for lack of data in which new data can still tell whether the problem is over. Without any data
 * by then, that stays open.
 */
export const QUESTION_SEC = 86_400;

/** Seconds of data without a new firing, from the first data on, that mean that the problem is over. */
export const answeringSec = (samples: number): number => (Math.max(samples, 3) - 1) * MINUTE;
