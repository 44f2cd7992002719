import type { ExportSchedule, ExportScheduleRun } from '@roster/client';
import type { ReactNode } from 'react';
import { ColourBadge } from '#components/values/status-badge.tsx';
import { useTexts } from '#texts/use-texts.ts';

const runColors = { started: 'blue', completed: 'green', failed: 'red', cancelled: 'gray', skipped: 'orange' } as const;
const colors = { active: 'green', paused: 'gray', disabled: 'red' } as const;

/** The status of a run as a badge. */
export function RunStatus({ status }: { readonly status: ExportScheduleRun['status'] }): ReactNode {
  const t = useTexts('exports');
  return <ColourBadge color={runColors[status]}>{t(`schedules.run_status.${status}`)}</ColourBadge>;
}

/** The status of a schedule as a badge. */
export function ScheduleStatus({ status }: { readonly status: ExportSchedule['status'] }): ReactNode {
  const t = useTexts('exports');
  return <ColourBadge color={colors[status]}>{t(`schedules.status.${status}`)}</ColourBadge>;
}
