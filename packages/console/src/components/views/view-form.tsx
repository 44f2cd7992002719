import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import type { SavedView } from '@roster/client';
import { Trash } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** The form for a new view, or for one that exists: name, who sees it, its state, deletion. */
export function ViewForm({
  view,
  canShare,
  change,
  onSubmit,
  onReplace,
  onDelete,
  onCancel,
}: {
  /** Absent for a new view. */
  readonly view?: SavedView;
  readonly canShare: boolean;
  /** The last change of a view. */
  readonly change: { readonly isPending: boolean; readonly error: Error | null };
  readonly onSubmit: (view: { readonly name: string; readonly shared: boolean }) => void;
  /** Stores the present state of the page in the view. */
  readonly onReplace?: () => void;
  readonly onDelete?: () => void;
  readonly onCancel?: () => void;
}): ReactNode {
  const t = useTexts('common');
  const [name, setName] = useState(view?.name ?? '');
  const [isShared, setShared] = useState(view?.shared ?? false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '' && !change.isPending) onSubmit({ name: name.trim(), shared: isShared });
      }}
    >
      <Stack gap="xs">
        <TextInput
          label={t(view === undefined ? 'views.save' : 'views.name')}
          placeholder={t('views.name')}
          maxLength={255}
          autoFocus={view !== undefined}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {canShare && (
          <Checkbox
            label={t('views.shared')}
            checked={isShared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
        )}
        <ProblemAlert error={change.error} title={t('views.failed')} />
        {view !== undefined && (
          <Group gap="xs">
            <Button variant="default" flex={1} onClick={onReplace}>
              {t('views.update')}
            </Button>
            <Button
              variant="default"
              c="red"
              aria-label={t('views.delete', { name: view.name })}
              leftSection={<Trash size={14} aria-hidden />}
              onClick={onDelete}
            >
              {t('views.doDelete')}
            </Button>
          </Group>
        )}
        <Group gap="xs" grow>
          {onCancel !== undefined && (
            <Button variant="default" onClick={onCancel}>
              {t('actions.cancel')}
            </Button>
          )}
          <Button type="submit" loading={change.isPending} disabled={name.trim() === ''}>
            {t('views.doSave')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
