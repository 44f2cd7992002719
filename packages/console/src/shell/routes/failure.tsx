import { useRouter } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { isMissingCode, reloadIfReachable, reloadWhenReachable } from '#api/missing-code.ts';
import { ButtonLink } from '#components/actions/links.tsx';
import { ErrorState } from '#components/states/error-state.tsx';
import { MessageState } from '#components/states/message-state.tsx';
import { useTexts } from '#texts/use-texts.ts';

interface FailureProps {
  readonly error: unknown;
  readonly reset: () => void;
}

/** Shown in the frame, in place of a page that failed. */
export function Failure({ error, reset }: FailureProps): ReactNode {
  const router = useRouter();
  const isMissing = isMissingCode(error);
  useEffect(() => (isMissing ? reloadWhenReachable() : undefined), [isMissing]);
  const retry = (): void => {
    // The browser and the router remember that the code is missing. Only a new page forgets it.
    if (isMissing) {
      void reloadIfReachable();
      return;
    }
    reset();
    // What the routes load before they are shown may have failed, such as the session.
    void router.invalidate();
  };
  return <ErrorState error={error} onRetry={retry} order={1} />;
}

/** Shown in the frame for an address without a page. */
export function UnknownPage(): ReactNode {
  const t = useTexts('shell');
  return (
    <MessageState icon={SearchX} title={t('unknownPage.title')} text={t('unknownPage.text')} order={1}>
      <ButtonLink to="/" variant="default">
        {t('unknownPage.home')}
      </ButtonLink>
    </MessageState>
  );
}

/** Shown without the frame, when it failed itself. */
export function WholeFailure(props: FailureProps): ReactNode {
  return (
    <main>
      <Failure {...props} />
    </main>
  );
}

/** Shown without the frame, for an address without a page. */
export function WholeUnknownPage(): ReactNode {
  return (
    <main>
      <UnknownPage />
    </main>
  );
}
