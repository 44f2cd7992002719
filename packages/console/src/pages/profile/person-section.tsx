import type { SignedInPerson } from '@roster/client';
import {
  Button,
  Group,
  NativeSelect,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  useMantineColorScheme,
} from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { client } from '#api/client.ts';
import { sessionQuery } from '#api/session.ts';
import { changeLanguage, currentLanguage, languages, type Language } from '#texts/load-texts.ts';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { Section } from './section.tsx';

/** Name, language and appearance. */
export function PersonSection({ person }: { readonly person: SignedInPerson }): ReactNode {
  const t = useTexts('profile');
  const cache = useQueryClient();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [name, setName] = useState(person.name);
  const save = useMutation({
    mutationFn: (body: { name?: string; language?: Language }) => client.me.update(body),
    onSuccess: (changed) =>
      cache.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, person: changed }),
  });

  return (
    <Section title={t('person.title')} text={person.email}>
      <ProblemAlert error={save.error} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ name });
        }}
      >
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t('person.name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            autoComplete="name"
            maxLength={255}
            required
            withAsterisk={false}
            flex="1 1 14rem"
          />
          <Button
            type="submit"
            variant="default"
            loading={save.isPending}
            disabled={name.trim() === '' || name === person.name}
          >
            {t('save')}
          </Button>
        </Group>
      </form>
      <Group gap="lg" align="flex-start">
        <NativeSelect
          label={t('person.language')}
          data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
          value={currentLanguage()}
          onChange={(event) => {
            const language = event.currentTarget.value as Language;
            void changeLanguage(language);
            save.mutate({ language });
          }}
          flex="1 1 14rem"
        />
        <Stack gap={4} flex="1 1 14rem">
          <Text size="sm" fw={500} id="theme-label">
            {t('person.theme')}
          </Text>
          <SegmentedControl
            aria-labelledby="theme-label"
            data={[
              { value: 'light', label: t('person.light') },
              { value: 'dark', label: t('person.dark') },
              { value: 'auto', label: t('person.auto') },
            ]}
            value={colorScheme}
            onChange={setColorScheme}
          />
        </Stack>
      </Group>
    </Section>
  );
}
