import { Button, Modal, Stack, Tabs, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { SquareTerminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { curlOf, typescriptOf, type ApiCall } from '#api/call-text.ts';
import { CodeBlock } from './code-block.tsx';

/** Opens the request of the page as curl and as TypeScript, ready to paste. */
export function ApiCallButton({ call }: { readonly call: ApiCall }): ReactNode {
  const t = useTexts('common');
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" leftSection={<SquareTerminal size={14} aria-hidden />} onClick={open}>
        {t('apiCall.open')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
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
    </>
  );
}
