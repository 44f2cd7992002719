import '@mantine/dates/styles.css';
import { DatesProvider } from '@mantine/dates';
import { useId, type ReactNode } from 'react';
import 'dayjs/locale/de';
import { currentLanguage } from '#texts/load-texts.ts';
import { useTexts } from '#texts/use-texts.ts';
import styles from './calendar-defaults.module.css';

/** Props of every input with a calendar. */
export interface CalendarProps {
  readonly id: string;
  readonly classNames: { readonly day: string };
  /** Days of other months have too little contrast. */
  readonly hideOutsideDates: true;
  readonly popoverProps: { readonly id: string };
  readonly ariaLabels: Readonly<
    Record<'nextMonth' | 'previousMonth' | 'nextYear' | 'previousYear' | 'nextDecade' | 'previousDecade', string>
  >;
}

/** Gives `children` the props of an input with a calendar, which then has the language of the console. */
export function CalendarDefaults({ children }: { readonly children: (props: CalendarProps) => ReactNode }): ReactNode {
  const t = useTexts('common');
  // With this id, the calendar has the name of its input.
  const id = useId();
  const ariaLabels = {
    nextMonth: t('calendar.nextMonth'),
    previousMonth: t('calendar.previousMonth'),
    nextYear: t('calendar.nextYear'),
    previousYear: t('calendar.previousYear'),
    nextDecade: t('calendar.nextYears'),
    previousDecade: t('calendar.previousYears'),
  };
  return (
    <DatesProvider settings={{ locale: currentLanguage() }}>
      {children({ id, popoverProps: { id }, classNames: { day: styles.day! }, hideOutsideDates: true, ariaLabels })}
    </DatesProvider>
  );
}
