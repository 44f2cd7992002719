import { createContext, useContext } from 'react';

/** The time zone of the account; undefined for that of the browser. */
export const TimeZone = createContext<string | undefined>(undefined);

/** Returns the time zone in which pages show moments. */
export function useTimeZone(): string | undefined {
  return useContext(TimeZone);
}
