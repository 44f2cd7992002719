import { Button, Group, Text, TextInput } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import { ChevronUp, ChevronsUp } from 'lucide-react';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { CalendarDefaults } from '#components/dates/calendar-defaults.tsx';
import { momentAt } from '#components/values/day-bounds.ts';
import { formatNumber } from '#components/values/format.ts';
import { useTimeZone } from '#components/values/time-zone.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { eventsPerPart, type FeedPart } from './feed-part.ts';

/** Goes to a position or a time of the feed. At a position, it also leads to the newer events. */
export function FeedPosition({
  position,
  ends,
  onGo,
  onGoToTime,
  isSearching,
}: {
  /** The position in the address. Undefined: the newest events are shown. */
  readonly position: number | undefined;
  readonly ends: FeedPart['ends'];
  readonly onGo: (position: number | undefined) => void;
  /** Goes to the first event at a time or later. */
  readonly onGoToTime: (moment: string) => void;
  readonly isSearching: boolean;
}): ReactNode {
  const t = useTexts('developers');
  const common = useTexts('common');
  const [text, setText] = useState(textOf(position));
  const [known, setKnown] = useState(position);
  // The address has changed, for example by the Back button.
  if (known !== position) {
    setKnown(position);
    setText(textOf(position));
  }
  const [time, setTime] = useState<string | null>(null);
  const timeZone = useTimeZone();
  const input = useRef<HTMLInputElement>(null);

  function goToNewer(from: number): void {
    const next = Math.max(from, ends?.first ?? 0) + eventsPerPart;
    if (ends !== undefined && next >= ends.last) goToNewest();
    else onGo(next);
  }

  function goToNewest(): void {
    onGo(undefined);
    // The buttons disappear.
    input.current?.focus();
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (time === null) goToPosition();
    else onGoToTime(momentAt(time, timeZone));
    setTime(null);
  }

  function goToPosition(): void {
    onGo(text === '' ? undefined : Math.max(1, Math.min(Number(text), Number.MAX_SAFE_INTEGER)));
  }

  return (
    <Group gap="xs">
      <form onSubmit={submit}>
        <Group gap={6}>
          <TextInput
            ref={input}
            w={160}
            inputMode="numeric"
            autoComplete="off"
            maxLength={24}
            aria-label={t('feed.goTo')}
            placeholder={t('feed.goTo')}
            value={text}
            // A position can be copied from the table, with the separators of its language.
            onChange={(event) => {
              setText(event.currentTarget.value.replaceAll(/\D/g, ''));
              setTime(null);
            }}
          />
          <CalendarDefaults>
            {(calendar) => (
              <DateTimePicker
                {...calendar}
                w={210}
                aria-label={t('feed.goToTime')}
                placeholder={t('feed.goToTime')}
                valueFormat="YYYY-MM-DD HH:mm"
                clearable
                clearButtonProps={{ 'aria-label': t('feed.clearTime') }}
                maxDate={new Date()}
                value={time}
                onChange={setTime}
                timePickerProps={{
                  hoursInputLabel: common('calendar.hours'),
                  minutesInputLabel: common('calendar.minutes'),
                }}
                submitButtonProps={{ 'aria-label': common('calendar.take') }}
              />
            )}
          </CalendarDefaults>
          <Button type="submit" variant="default" loading={isSearching}>
            {t('feed.go')}
          </Button>
        </Group>
      </form>
      {position !== undefined && (
        <>
          <Button
            variant="default"
            leftSection={<ChevronUp size={14} aria-hidden />}
            disabled={ends !== undefined && position >= ends.last}
            onClick={() => goToNewer(position)}
          >
            {t('feed.newer')}
          </Button>
          <Button variant="subtle" leftSection={<ChevronsUp size={14} aria-hidden />} onClick={goToNewest}>
            {t('feed.newest')}
          </Button>
        </>
      )}
      <Text size="sm" c="dimmed" role="status">
        {position !== undefined &&
          ends !== undefined &&
          (position < ends.first
            ? t('feed.tooOld', { first: formatNumber(ends.first) })
            : position > ends.last
              ? t('feed.tooNew', { last: formatNumber(ends.last) })
              : t('feed.from', { position: formatNumber(position) }))}
      </Text>
    </Group>
  );
}

function textOf(position: number | undefined): string {
  return position === undefined ? '' : String(position);
}
