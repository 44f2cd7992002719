import { Button, Code, List, Text } from '@mantine/core';
import { CircleAlert, Hourglass, LogIn, SearchX, ShieldX, TriangleAlert, WifiOff, type LucideIcon } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { problemOf, type ProblemKind } from '#api/problem.ts';
import { useTexts } from '#texts/use-texts.ts';
import { MessageState } from './message-state.tsx';

const icons: Readonly<Record<ProblemKind, LucideIcon>> = {
  signedOut: LogIn,
  forbidden: ShieldX,
  notFound: SearchX,
  invalid: CircleAlert,
  conflict: TriangleAlert,
  changed: TriangleAlert,
  busy: Hourglass,
  unavailable: Hourglass,
  slow: Hourglass,
  offline: WifiOff,
  unanswered: WifiOff,
  unexpected: CircleAlert,
};

/** Shows a failed query in place of its data, and offers to try again. */
export function ErrorState({
  error,
  onRetry,
  order = 2,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** Level of the heading: 1 if the failure is the whole page. */
  readonly order?: 1 | 2;
}): ReactNode {
  const t = useTexts('common');
  const { kind, message, faults, retryAfter, requestId } = problemOf(error);
  const queries = useQueryClient();
  const retry = (): void => {
    onRetry?.();
    // Other parts of the page may have failed for the same reason.
    void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
  };
  const showsMessage = kind === 'invalid' || kind === 'conflict' || kind === 'unexpected' || kind === 'slow';
  return (
    <MessageState
      role="alert"
      order={order}
      icon={icons[kind]}
      color={kind === 'unexpected' || kind === 'invalid' ? 'red' : 'gray'}
      title={t(`errors.${kind}.title`)}
      text={t(`errors.${kind}.text`)}
    >
      {showsMessage && message !== undefined && <Text size="sm">{message}</Text>}
      {faults.length > 1 && (
        <List size="sm" ta="left">
          {faults.map(({ field, message: text }) => (
            <List.Item key={`${field} ${text}`}>
              <Code>{field}</Code> {text}
            </List.Item>
          ))}
        </List>
      )}
      {retryAfter !== undefined && retryAfter > 0 && <Text size="sm">{t('errors.wait', { count: retryAfter })}</Text>}
      {requestId !== undefined && (
        <Text size="xs" c="dimmed">
          {t('errors.requestId', { id: requestId })}
        </Text>
      )}
      {onRetry !== undefined && kind !== 'forbidden' && kind !== 'notFound' && (
        <Button variant="default" onClick={retry}>
          {t('actions.retry')}
        </Button>
      )}
    </MessageState>
  );
}
