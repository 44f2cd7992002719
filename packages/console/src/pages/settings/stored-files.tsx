import { Paper, Progress, Stack, Text, Title } from '@mantine/core';
import type { AccountDetail } from '@roster/client';
import type { ReactNode } from 'react';
import { formatBytes } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';

/** From this share of the limit on, the bar warns. */
const nearlyFull = 0.9;

/** How much space the files of the account take, and the limit of the installation. */
export function StoredFiles({ files: { used, limit } }: { readonly files: AccountDetail['stored_files'] }): ReactNode {
  const t = useTexts('settings');
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Title order={2} size="h5">
          {t('files.title')}
        </Title>
        {limit !== null && (
          <Progress
            value={Math.min(1, used / limit) * 100}
            color={used >= limit * nearlyFull ? 'red' : 'indigo'}
            aria-label={t('files.title')}
          />
        )}
        <Text size="sm">
          {limit === null
            ? t('files.unlimited', { used: formatBytes(used) })
            : t('files.limited', { used: formatBytes(used), limit: formatBytes(limit) })}
        </Text>
        <Text size="sm" c="dimmed">
          {t('files.text')}
        </Text>
      </Stack>
    </Paper>
  );
}
