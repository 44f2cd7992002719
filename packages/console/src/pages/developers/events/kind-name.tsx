import { Code, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { isEventKind } from './kinds.ts';

/** Returns the words for a kind of events. Kinds of a later version have none. */
export function useKindWords(): (kind: string) => string {
  const t = useTexts('developers');
  return (kind) => (isEventKind(kind) ? t(`feed.kindNames.${kind}`) : kind);
}

/** A kind of events, in words and as programs get it. */
export function KindName({ kind }: { readonly kind: string }): ReactNode {
  const words = useKindWords();
  return (
    <Group gap="xs" wrap="nowrap" component="span">
      <Text component="span" inherit truncate>
        {words(kind)}
      </Text>
      {/* Cut off in a narrow column: it could not be scrolled with the keyboard. */}
      <Code style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>{kind}</Code>
    </Group>
  );
}
