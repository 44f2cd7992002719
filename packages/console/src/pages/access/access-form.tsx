import { Alert, Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode, SubmitEvent } from 'react';
import { problemOf, type ProblemKind } from '#api/problem.ts';
import { useTexts } from '#texts/use-texts.ts';

/** A form of the pages for sign-in: fields, the error of the last attempt, one button. */
export function AccessForm({
  submit,
  onSubmit,
  messages,
  children,
}: {
  /** Label of the button. */
  readonly submit: string;
  readonly onSubmit: (values: FormData) => Promise<void>;
  /** Messages for failures that mean something special in this form. */
  readonly messages: Partial<Record<ProblemKind, string>>;
  readonly children: ReactNode;
}): ReactNode {
  const mutation = useMutation({ mutationFn: onSubmit });
  return (
    <form
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        if (!mutation.isPending) mutation.mutate(new FormData(event.currentTarget));
      }}
    >
      <Stack>
        {mutation.error !== null && <FormError error={mutation.error} messages={messages} />}
        {children}
        <Button type="submit" size="sm" loading={mutation.isPending} fullWidth>
          {submit}
        </Button>
      </Stack>
    </form>
  );
}

/** Says why an attempt failed. */
export function FormError({
  error,
  messages,
}: {
  readonly error: unknown;
  readonly messages: Partial<Record<ProblemKind, string>>;
}): ReactNode {
  const t = useTexts('common');
  const { kind, message, retryAfter } = problemOf(error);
  const own = messages[kind];
  const isDetailed = kind === 'invalid' || kind === 'conflict';
  return (
    <Alert color="red" variant="light" role="alert">
      {own ?? (isDetailed && message !== undefined ? message : t(`errors.${kind}.text`))}
      {retryAfter !== undefined && ` ${t('errors.wait', { count: retryAfter })}`}
    </Alert>
  );
}

/** Returns a field of a form as text. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value : '';
}
