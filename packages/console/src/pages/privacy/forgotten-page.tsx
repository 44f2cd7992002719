import { Alert, Button, Group, Paper, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { problemOf } from '#api/problem.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { Page } from '#components/layout/page.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { formatNumber } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useProblemText } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { PrivacyHeader } from './privacy-section.tsx';

const kinds = ['email', 'mobile', 'identity'] as const;

/** How many people are forgotten, and how one of them can be stored again. */
export function ForgottenPage(): ReactNode {
  const t = useTexts('privacy');
  const { accountId, account, can } = useAccount();
  const count = useQuery({
    queryKey: ['accounts', accountId, 'forgotten'],
    queryFn: ({ signal }) => account.forgotten.count({ signal }),
  });
  return (
    <Page>
      <PrivacyHeader title={t('forgotten.title')} text={t('forgotten.text')}>
        <ApiCallButton call={{ operation: 'getForgotten', path: { account_id: accountId } }} />
      </PrivacyHeader>
      <QueryState query={count}>
        {(people) => (
          <Paper withBorder p="md" maw={760}>
            <Text size="xl" fw={600}>
              {t('forgotten.people', { count: people, formatted: formatNumber(people) })}
            </Text>
            <Text size="sm" c="dimmed">
              {t('forgotten.why')}
            </Text>
          </Paper>
        )}
      </QueryState>
      {can('privacy:write') && <UndoForm />}
    </Page>
  );
}

function UndoForm(): ReactNode {
  const t = useTexts('privacy');
  const { accountId, account } = useAccount();
  const cache = useQueryClient();
  const [kind, setKind] = useState<(typeof kinds)[number]>('email');
  const undo = useMutation({
    mutationFn: (value: string) => account.forgotten.undo({ [kind]: value }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['accounts', accountId, 'forgotten'] }),
  });
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    undo.mutate(new FormData(event.currentTarget).get('value') as string);
  }
  const problemText = useProblemText();
  const problem = undo.error === null ? undefined : problemOf(undo.error);
  return (
    <Paper withBorder p="md" maw={760}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Title order={2} size="h5">
            {t('forgotten.undoTitle')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('forgotten.undoText')}
          </Text>
          <Group align="flex-end" gap="xs">
            <Select
              label={t('forgotten.by')}
              w={160}
              allowDeselect={false}
              value={kind}
              onChange={(value) => setKind(value as (typeof kinds)[number])}
              data={kinds.map((value) => ({ value, label: t(`forgotten.kinds.${value}`) }))}
            />
            <TextInput name="value" label={t(`forgotten.kinds.${kind}`)} required flex={1} autoComplete="off" />
            <Button type="submit" variant="default" size="sm" loading={undo.isPending}>
              {t('forgotten.undo')}
            </Button>
          </Group>
          {undo.data !== undefined && (
            <Alert color="green" role="status">
              {t('forgotten.undone')}
            </Alert>
          )}
          {problem !== undefined && (
            <Alert color="red" role="alert">
              {problem.kind === 'notFound' ? t('forgotten.unknown') : problemText(undo.error)}
            </Alert>
          )}
        </Stack>
      </form>
    </Paper>
  );
}
