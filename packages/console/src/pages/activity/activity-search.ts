import { readPeriod, type PeriodDays } from '#components/charts/period.ts';
import { isChannel, isKind, type Channel, type Kind } from './kinds.ts';

/** What the page shows, as its address says. Absent fields have their default. */
export interface ActivitySearch {
  readonly days?: PeriodDays | undefined;
  readonly channel?: Channel | undefined;
  /** Number of the message whose people are shown. */
  readonly message?: number | undefined;
  /** What these people did. Default: opened. */
  readonly activity?: Kind | undefined;
}

/** Reads the address of the page. Leaves out what is not valid. */
export function readActivitySearch(given: Record<string, unknown>): ActivitySearch {
  const message = Number(given['message']);
  const isMessage = given['message'] !== undefined && Number.isSafeInteger(message) && message >= 0;
  return {
    days: readPeriod(given['days']),
    channel: isChannel(given['channel']) ? given['channel'] : undefined,
    message: isMessage ? message : undefined,
    activity: isKind(given['activity']) ? given['activity'] : undefined,
  };
}
