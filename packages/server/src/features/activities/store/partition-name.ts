import { startOfMonth, type Month } from '#platform/time/month.ts';

/** Returns the name of the partition of a month. */
export function partitionName(month: Month): string {
  return `activities_${startOfMonth(month).slice(0, 7).replace('-', '')}`;
}

/** Returns the month of a partition, or undefined if the name is not one of a partition. */
export function monthOfPartition(name: string): Month | undefined {
  const match = /^activities_(\d{4})(\d\d)$/.exec(name);
  return match === null ? undefined : Number(match[1]) * 12 + Number(match[2]) - 1;
}
