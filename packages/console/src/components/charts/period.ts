/** The numbers of days that a page of statistics can show. */
export const periods = [7, 30, 90, 365] as const;

/** A number of days that end today. */
export type PeriodDays = (typeof periods)[number];

/** The period of a page without a choice. */
export const defaultPeriod: PeriodDays = 30;

/** Reads the period from an address; undefined for the default. */
export function readPeriod(given: unknown): PeriodDays | undefined {
  return periods.find((days) => days === Number(given) && days !== defaultPeriod);
}
