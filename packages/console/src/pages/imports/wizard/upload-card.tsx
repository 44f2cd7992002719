import { Button, Card, Group, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatBytes, formatPercent } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import type { UploadState } from './upload.ts';

/** The progress of an upload. */
export function UploadCard({
  state: { sent, size, isWaiting },
  onStop,
}: {
  readonly state: UploadState;
  readonly onStop: () => void;
}): ReactNode {
  const t = useTexts('imports');
  const share = size === 0 ? 0 : sent / size;
  return (
    <Card withBorder>
      <Stack gap="xs">
        <Group justify="space-between">
          <Text fw={600}>{isWaiting ? t('upload.waiting') : t('upload.sending')}</Text>
          <Button variant="default" onClick={onStop}>
            {t('upload.stop')}
          </Button>
        </Group>
        <Progress value={share * 100} animated={!isWaiting} aria-label={t('upload.sending')} />
        <Text size="sm" c="dimmed" role="status">
          {t('upload.progress', { sent: formatBytes(sent), size: formatBytes(size), percent: formatPercent(share, 0) })}
          {isWaiting && ` · ${t('upload.waitingText')}`}
        </Text>
      </Stack>
    </Card>
  );
}
