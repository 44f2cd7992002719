import { Card, Stack, Text } from '@mantine/core';
import type { Import } from '@roster/client';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { noteStartedWork } from '#components/work/own-work.ts';
import { ErrorState } from '#components/states/error-state.tsx';
import { formatBytes } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { FileDrop } from './file-drop.tsx';
import { UploadCard } from './upload-card.tsx';
import { upload } from './upload.ts';
import { useUpload } from './use-upload.ts';
import { importQuery } from '../run/import-query.ts';

/** An import that waits for its file, for example because the browser was closed during the upload. */
export function SendRest({ found }: { readonly found: Import }): ReactNode {
  const t = useTexts('imports');
  const { accountId, account } = useAccount();
  const cache = useQueryClient();
  const { state, error, run, stop } = useUpload();

  async function send(file: File): Promise<void> {
    const sent = await run(file, found.received_bytes, (sending) => upload(account, found.import_id, file, sending));
    if (sent === undefined) return;
    if (!found.dry_run) noteStartedWork({ kind: 'import', id: found.import_id });
    cache.setQueryData(importQuery(accountId, found.import_id).queryKey, sent);
  }

  return (
    <Card withBorder>
      <Stack>
        <Text size="sm">
          {found.received_bytes === 0
            ? t('rest.nothing')
            : t('rest.text', { size: formatBytes(found.received_bytes), name: found.file_name ?? '' })}
        </Text>
        {error !== undefined && <ErrorState error={error} />}
        {state === undefined ? (
          <FileDrop onFile={(file) => void send(file)} text={t('rest.drop')} />
        ) : (
          <UploadCard state={state} onStop={stop} />
        )}
      </Stack>
    </Card>
  );
}
