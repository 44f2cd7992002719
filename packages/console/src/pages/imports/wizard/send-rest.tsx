import { Card, Stack, Text } from '@mantine/core';
import type { Import } from '@roster/client';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { ErrorState } from '#components/states/error-state.tsx';
import { formatBytes } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { FileDrop } from './file-drop.tsx';
import { UploadCard } from './upload-card.tsx';
import { upload, type UploadState } from './upload.ts';
import { importQuery } from '../run/import-query.ts';

/** An import that waits for its file, for example because the browser was closed during the upload. */
export function SendRest({ found }: { readonly found: Import }): ReactNode {
  const t = useTexts('imports');
  const { accountId, account } = useAccount();
  const cache = useQueryClient();
  const [state, setState] = useState<UploadState | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const controller = useRef<AbortController | undefined>(undefined);

  async function send(file: File): Promise<void> {
    const abort = new AbortController();
    controller.current = abort;
    setError(undefined);
    setState({ sent: found.received_bytes, size: file.size, isWaiting: false });
    try {
      const sent = await upload(account, found.import_id, file, { signal: abort.signal, onState: setState });
      cache.setQueryData(importQuery(accountId, found.import_id).queryKey, sent);
    } catch (failure) {
      if (!abort.signal.aborted) setError(failure);
    } finally {
      setState(undefined);
    }
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
          <UploadCard state={state} onStop={() => controller.current?.abort()} />
        )}
      </Stack>
    </Card>
  );
}
