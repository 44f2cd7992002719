import { Alert, type AlertProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { problemOf } from '#api/problem.ts';
import { useReasons } from '#texts/use-reasons.ts';
import { useTexts } from '#texts/use-texts.ts';

/**
 * Says what went wrong with an action, in a page that stays as it is. Without an error: nothing. The
 * title says that something was not done, so it is not shown if this is not known.
 */
export function ProblemAlert({ error, title, ...props }: AlertProps & { readonly error: unknown }): ReactNode {
  const t = useTexts('common');
  const problemText = useProblemText();
  if (error === null || error === undefined) return null;
  const { kind } = problemOf(error);
  return (
    <Alert
      color="red"
      role="alert"
      title={title === undefined || kind === 'unanswered' ? t(`errors.${kind}.title`) : title}
      {...props}
    >
      {problemText(error)}
    </Alert>
  );
}

/**
 * Returns the function that says in one sentence what went wrong: the message of the service about
 * the first wrong place, or about the whole request, or a text of the console.
 */
export function useProblemText(): (error: unknown) => string {
  const t = useTexts('common');
  const reasonOf = useReasons();
  return (error) => {
    const { kind, message, faults } = problemOf(error);
    const reason = faults[0]?.message ?? message;
    return reason === undefined ? t(`errors.${kind}.text`) : reasonOf(reason);
  };
}
