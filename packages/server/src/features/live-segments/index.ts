import type { Feature } from '#platform/feature.ts';
import { hour } from '#platform/time/intervals.ts';
import { liveSegmentPart } from './pending/batch-part.ts';
import { deleteOldChanges } from './change-retention.ts';
import { followSegments } from './follow-segments.ts';

/** Live segments: segments whose members are stored and follow every change. */
export const liveSegments: Feature = {
  name: 'live-segments',
  batchParts: { liveSegments: liveSegmentPart },
  upkeep: [
    // Milliseconds. A change is followed this long after its commit, plus the time for the step.
    { interval: 200, run: followSegments },
    { interval: hour, run: deleteOldChanges, deletesByAge: true },
  ],
};
