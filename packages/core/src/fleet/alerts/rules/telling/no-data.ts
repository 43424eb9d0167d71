const MINUTE = 60;

/** An end for want of data is a question for so long; without any data by then, it has no answer. Seconds. */
export const QUESTION_SEC = 86_400;

/** Data without a new firing for so long, from the first ones on, say that it is over. Seconds. */
export const answeringSec = (samples: number): number => (Math.max(samples, 3) - 1) * MINUTE;
