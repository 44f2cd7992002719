import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { KeyValues } from '#components/values/key-values.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { roles } from './roles.ts';

/** Explains each role. */
export function RoleGuide(): ReactNode {
  const t = useTexts('settings');
  return (
    <Paper withBorder p="lg" component="section" aria-label={t('members.rolesTitle')}>
      <Stack gap="sm">
        <Title order={2} size="h5">
          {t('members.rolesTitle')}
        </Title>
        <KeyValues entries={roles.map((role) => [t(`members.roles.${role}`), t(`members.explained.${role}`)])} />
        <Text size="sm" c="dimmed">
          {t('members.unmaskedText')}
        </Text>
      </Stack>
    </Paper>
  );
}
