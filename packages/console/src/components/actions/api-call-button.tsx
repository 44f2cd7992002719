import { Box, Button } from '@mantine/core';
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
        aria-label={t('apiCall.open')}
        onClick={() => {
          setNeeded(true);
          open();
        }}
      >
        <SquareTerminal size={14} aria-hidden />
        {/* On a phone, the other actions of the page need the room. */}
        <Box component="span" ms="xs" visibleFrom="sm">
          {t('apiCall.open')}
        </Box>
      </Button>
      {isNeeded && (
        <SeparatePart>
          <ApiCallDialog call={call} isOpen={isOpen} onClose={close} />
        </SeparatePart>
      )}
    </>
  );
}
