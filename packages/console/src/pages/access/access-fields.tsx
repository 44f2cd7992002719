import { PasswordInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';

/** Minimum length of a password. The service has the same limit, and more rules. */
const minimum = 10;

/** The field for the e-mail address. */
export function EmailField({ isFirst = false }: { readonly isFirst?: boolean }): ReactNode {
  const t = useTexts('access');
  return (
    <TextInput
      name="email"
      type="email"
      label={t('fields.email')}
      autoComplete="username"
      required
      withAsterisk={false}
      maxLength={254}
      autoFocus={isFirst}
    />
  );
}

/** The field for the name of the person. */
export function NameField(): ReactNode {
  const t = useTexts('access');
  return (
    <TextInput
      name="name"
      label={t('fields.name')}
      autoComplete="name"
      required
      withAsterisk={false}
      maxLength={255}
      autoFocus
    />
  );
}

/** The field for a password: the existing one, or a new one with its rule. */
export function PasswordField({
  isNew = false,
  label,
}: {
  readonly isNew?: boolean;
  readonly label?: string;
}): ReactNode {
  const t = useTexts('access');
  return (
    <PasswordInput
      name="password"
      label={label ?? t('fields.password')}
      description={isNew ? t('fields.passwordHint', { minimum }) : undefined}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      visibilityToggleButtonProps={{ 'aria-label': t('fields.showPassword'), tabIndex: 0 }}
      required
      withAsterisk={false}
      minLength={isNew ? minimum : undefined}
    />
  );
}
