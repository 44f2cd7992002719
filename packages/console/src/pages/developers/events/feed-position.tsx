import { Button, Group, Text, TextInput } from '@mantine/core';
import { ChevronUp, ChevronsUp } from 'lucide-react';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { formatNumber } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import { eventsPerPart, type FeedPart } from './feed-part.ts';

/** Goes to a position of the feed. At a position, it also leads to the newer events. */
export function FeedPosition({
  position,
  ends,
  onGo,
}: {
  /** The position in the address. Undefined: the newest events are shown. */
  readonly position: number | undefined;
  readonly ends: FeedPart['ends'];
  readonly onGo: (position: number | undefined) => void;
}): ReactNode {
  const t = useTexts('developers');
  const [text, setText] = useState(textOf(position));
  const [known, setKnown] = useState(position);
  // The address has changed, for example by the Back button.
  if (known !== position) {
    setKnown(position);
    setText(textOf(position));
  }
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
    onGo(text === '' ? undefined : Math.max(1, Math.min(Number(text), Number.MAX_SAFE_INTEGER)));
  }

  return (
    <Group gap="xs">
      <form onSubmit={submit}>
        <Group gap={6} wrap="nowrap">
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
            onChange={(event) => setText(event.currentTarget.value.replaceAll(/\D/g, ''))}
          />
          <Button type="submit" variant="default">
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
