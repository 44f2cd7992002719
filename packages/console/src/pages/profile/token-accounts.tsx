import { MultiSelect } from '@mantine/core';
import type { SignedInPerson } from '@roster/client';
import type { ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';

/** Chooses the accounts of a personal access token; none means all. */
export function TokenAccounts({
  person,
  value,
  onChange,
}: {
  readonly person: SignedInPerson;
  readonly value: string[];
  readonly onChange: (accounts: string[]) => void;
}): ReactNode {
  const t = useTexts('profile');
  return (
    <MultiSelect
      label={t('tokens.accounts')}
      placeholder={value.length === 0 ? t('tokens.allAccounts') : undefined}
      data={person.accounts.map(({ account_id: id, name: label }) => ({ value: String(id), label }))}
      value={value}
      onChange={onChange}
      clearable
      flex="2 1 12rem"
    />
  );
}
