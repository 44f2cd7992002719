import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { SquareTerminal } from 'lucide-react';
import { lazy, useState, type ReactNode } from 'react';
import { SeparatePart } from '#components/parts/separate-part.tsx';
import type { ApiCall } from '#api/call-text.ts';
import { useTexts } from '#texts/use-texts.ts';

const ApiCallDialog = lazy(async () => ({ default: (await import('./api-call-dialog.tsx')).ApiCallDialog }));

/** Opens the request of the page as curl and as TypeScript, ready to paste. */
export function ApiCallButton({ call }: { readonly call: ApiCall }): ReactNode {
  const t = useTexts('common');
  const [isOpen, { open, close }] = useDisclosure(false);
  const [isNeeded, setNeeded] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<SquareTerminal size={14} aria-hidden />}
        onClick={() => {
          setNeeded(true);
          open();
        }}
      >
        {t('apiCall.open')}
      </Button>
      {isNeeded && (
        <SeparatePart>
          <ApiCallDialog call={call} isOpen={isOpen} onClose={close} />
        </SeparatePart>
      )}
    </>
  );
}
