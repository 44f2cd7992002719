import { Container } from '@mantine/core';
import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { ErrorState } from '#components/states/error-state.tsx';
import { MessageState } from '#components/states/message-state.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** Shown in place of a page that failed. */
export function Failure({ error, reset }: { readonly error: unknown; readonly reset: () => void }): ReactNode {
  return (
    <Container size="sm" py="xl">
      <ErrorState error={error} onRetry={reset} />
    </Container>
  );
}

/** Shown for an address without a page. */
export function UnknownPage(): ReactNode {
  const t = useTexts('shell');
  return (
    <Container size="sm" py="xl">
      <MessageState icon={SearchX} title={t('unknownPage.title')} text={t('unknownPage.text')} />
    </Container>
  );
}
