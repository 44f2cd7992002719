import { Group, Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PeriodControl } from '#components/charts/period-control.tsx';
import { defaultPeriod, type PeriodDays } from '#components/charts/period.ts';
import type { AudienceSearch } from '../audiences-search.ts';
import styles from './audiences.module.css';

/** Returns the period of the tab of growth, which is in the address. */
export function useGrowthPeriod(): PeriodDays {
  const { days = defaultPeriod } = useSearch({ strict: false }) as AudienceSearch;
  return days;
}

/** The tab of growth of a list or segment: the choice of the period, and the charts. */
export function GrowthPanel({ children }: { readonly children: ReactNode }): ReactNode {
  const navigate = useNavigate();
  return (
    <Stack className={styles.scroll}>
      <Group justify="space-between">
        <PeriodControl
          value={useGrowthPeriod()}
          onChange={(chosen) =>
            void navigate({
              to: '.',
              search: (old: AudienceSearch) => ({ ...old, days: chosen === defaultPeriod ? undefined : chosen }),
            })
          }
        />
      </Group>
      {children}
    </Stack>
  );
}
