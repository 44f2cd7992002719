import { Button, Group, List as BulletList, Stack, Text, TextInput } from '@mantine/core';
import type { List, Segment } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useDialog } from '#components/actions/dialog-frame.ts';
import { CancelButton, Dialog } from '#components/actions/dialog.tsx';
import { MergeDialog } from '#components/merge/merge-dialog.tsx';
import { useMerge } from '#components/merge/use-merge.ts';
import { versionOf } from '#components/merge/version-of.ts';
import { ConfirmDialog } from '#components/actions/confirm-dialog.tsx';
import { useNewList } from '#components/contacts/use-new-list.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useOpenMade } from '#components/actions/link-message.tsx';
import { noteStartedWork } from '#components/work/own-work.ts';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';

/** Asks for a name, and does something with it. */
export function NameDialog({
  title,
  onClose,
  ...form
}: NameFormProps & {
  readonly title: string;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <NameForm {...form} />
    </Dialog>
  );
}

interface NameFormProps {
  readonly action: string;
  /** The name at the start. */
  readonly name: string;
  readonly text?: string;
  readonly onSubmit: (name: string) => Promise<unknown>;
}

function NameForm({ action, name, text, onSubmit }: NameFormProps): ReactNode {
  const t = useTexts('audiences');
  const [typed, setTyped] = useState(name);
  const submit = useMutation({
    mutationFn: () => onSubmit(typed.trim()),
    onSuccess: () => dialog.closeDone(),
  });
  const dialog = useDialog({ isRunning: submit.isPending, hasEntries: typed !== name });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== '') submit.mutate();
      }}
    >
      <Stack>
        {text !== undefined && (
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        )}
        <TextInput
          label={t('name')}
          required
          maxLength={255}
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <ProblemAlert error={submit.error} />
        <Group justify="flex-end" gap="xs">
          <CancelButton />
          <Button type="submit" loading={submit.isPending} disabled={typed.trim() === ''}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Returns a function that opens a new list or segment, see {@link useOpenMade}. */
export function useOpenNewAudience(): (audience: List | Segment) => Promise<void> {
  const t = useTexts('audiences');
  const { accountId } = useAccount();
  const openMade = useOpenMade();
  return async ({ audience_type: type, audience_id: id, name }) => {
    const kind = `${type}s` as const;
    await openMade({
      id: `made-audience-${id}`,
      title: t(`made.${kind}`),
      text: name,
      label: t(`made.show.${kind}`),
      to: `/accounts/${accountId}/audiences/${kind}/${id}`,
    });
  };
}

/** Something to do with a list or segment. */
export type AudienceAction = 'rename' | 'duplicate' | 'delete';

/** The dialog of an action on a list or segment. */
export function AudienceActionDialog({
  action,
  audience,
  onClose,
  onDeleted,
}: {
  readonly action: AudienceAction;
  readonly audience: List | Segment;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}): ReactNode {
  const t = useTexts('audiences');
  const { accountId, account } = useAccount();
  const queries = useQueryClient();
  const { audience_id: id, name } = audience;
  const isList = audience.audience_type === 'list';
  const kind = isList ? 'lists' : 'segments';
  // The list can be loaded again while the dialog is open.
  const [opened] = useState(audience);
  const merge = useMerge();
  const openNew = useOpenNewAudience();
  const withNewList = useNewList(account);
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['accounts', accountId, kind] });

  switch (action) {
    case 'rename':
      return (
        <>
          <NameDialog
            title={t(`rename.${kind}`)}
            action={t('rename.action')}
            name={opened.name}
            onClose={onClose}
            onSubmit={async (next) => {
              await merge.save<List | Segment, { name: string }>({
                stored: opened,
                draft: { name: next },
                draftOf: (one) => ({ name: one.name }),
                fields: [{ id: 'name', label: t('name'), keys: ['name'], show: (draft) => draft.name }],
                save: (draft, base) => account[kind].update(id, draft, { ifMatch: versionOf(base) }),
              });
              await refresh();
            }}
          />
          <MergeDialog conflict={merge.conflict} />
        </>
      );
    case 'duplicate':
      return (
        <NameDialog
          title={t(`duplicate.${kind}`)}
          action={t('duplicate.action')}
          name={t('duplicate.name', { name }).slice(0, 255)}
          text={t(`duplicate.text.${kind}`)}
          onClose={onClose}
          onSubmit={async (next) => {
            const copy = isList ? await copyList(next) : await copySegment(next, audience);
            await refresh();
            await openNew(copy);
          }}
        />
      );
    case 'delete':
      return <DeleteDialog audience={audience} onClose={onClose} onDeleted={onDeleted} refresh={refresh} />;
  }

  async function copyList(next: string): Promise<List> {
    const filter = {
      filtering_criteria: [{ condition_details: [{ field: 'list_id', operation: 'equals', value: [id] }] }],
    };
    return withNewList(next, async (copy) => {
      const expected_count = await account.asApiKey.contacts.count(filter);
      if (expected_count > 0) {
        const { bulk_change_id: changeId } = await account.bulkChanges.create({
          ...filter,
          action: { type: 'add_to_list', audience_id: copy.audience_id },
          expected_count,
        });
        noteStartedWork({ kind: 'bulk_change', id: changeId });
      }
      return copy;
    });
  }

  async function copySegment(next: string, from: Segment): Promise<Segment> {
    const { filtering_criteria, filtering_criteria_operator } = from;
    return account.segments.create({ name: next, filtering_criteria, filtering_criteria_operator });
  }
}

function DeleteDialog({
  audience,
  onClose,
  onDeleted,
  refresh,
}: {
  readonly audience: List | Segment;
  readonly onClose: () => void;
  readonly onDeleted: (() => void) | undefined;
  readonly refresh: () => Promise<void>;
}): ReactNode {
  const t = useTexts('audiences');
  const common = useTexts('common');
  const { account } = useAccount();
  const { audience_id: id, name, uses } = audience;
  const kind = audience.audience_type === 'list' ? 'lists' : 'segments';
  const preventing = uses.filter(({ prevents_deletion: prevents }) => prevents);
  if (preventing.length > 0) {
    return (
      <Dialog isOpen onClose={onClose} title={t('delete.inUse', { name })}>
        <Stack>
          <Text size="sm">{t('delete.inUseText')}</Text>
          <BulletList size="sm">
            {preventing.map(({ feature, id: user, name: label }) => (
              <BulletList.Item key={`${feature} ${user}`}>
                {t(`uses.features.${feature}`)}: {label}
              </BulletList.Item>
            ))}
          </BulletList>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus>
              {common('actions.close')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={t('delete.title', { name })}
      action={t('delete.action')}
      {...(audience.audience_type === 'list' && { affected: audience.member_count })}
      onConfirm={async () => {
        await account[kind].delete(id);
        // First, because the page of the audience is then not found, and this dialog is gone with it.
        onDeleted?.();
        await refresh();
      }}
    >
      {t(`delete.text.${kind}`)}
    </ConfirmDialog>
  );
}
