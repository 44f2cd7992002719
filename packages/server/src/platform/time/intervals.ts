/** Milliseconds of a second, a minute and an hour. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
