import { Modal, Stack, Tabs, Text } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { curlOf, typescriptOf, type ApiCall } from '#api/call-text.ts';
import { useTexts } from '#texts/use-texts.ts';
import { CodeBlock } from './code-block.tsx';

/** Shows a request as curl and as TypeScript, ready to paste. */
export function ApiCallDialog({
  call,
  isOpen,
  onClose,
}: {
  readonly call: ApiCall;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const t = useTexts('common');
  // A dialog that is open from the start does not return the focus when it is closed.
  const isMounted = useMounted();
  return (
    <Modal
      opened={isMounted && isOpen}
      onClose={onClose}
      title={t('apiCall.title')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('apiCall.explanation')}
        </Text>
        <Tabs defaultValue="curl">
          <Tabs.List mb="sm">
            <Tabs.Tab value="curl">{t('apiCall.curl')}</Tabs.Tab>
            <Tabs.Tab value="typescript">{t('apiCall.typescript')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="curl">
            <CodeBlock code={curlOf(call)} />
          </Tabs.Panel>
          <Tabs.Panel value="typescript">
            <CodeBlock code={typescriptOf(call)} />
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </Modal>
  );
}
