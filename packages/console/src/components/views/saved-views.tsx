import { ActionIcon, Alert, Button, Checkbox, Divider, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AccountOperator, SavedView } from '@roster/client';
import { Bookmark, RefreshCw, Trash } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { problemOf } from '#api/problem.ts';
import { useTexts } from '#texts/use-texts.ts';

/** Maximum number of views that are shown for a page. */
const maxViews = 200;

/**
 * Saves the state of a page under a name, and opens saved states. The state is what the address of
 * the page has.
 */
export function SavedViews({
  accountId,
  account,
  page,
  state,
  canShare,
  onOpen,
}: {
  readonly accountId: number;
  readonly account: AccountOperator;
  /** The name of the page, such as `contacts`. */
  readonly page: string;
  readonly state: Readonly<Record<string, unknown>>;
  /** Whether the person may save views for everyone: the permission `segments:write`. */
  readonly canShare: boolean;
  /** Gets a saved state. Check it like an address, because an older version may have saved it. */
  readonly onOpen: (state: Record<string, unknown>) => void;
}): ReactNode {
  const t = useTexts('common');
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const cache = useQueryClient();
  const queryKey = ['accounts', accountId, 'views', page];
  const { data: views = [] } = useQuery({
    queryKey,
    queryFn: ({ signal }) => account.views.list({ signal, page, limit: maxViews }).take(maxViews),
    enabled: isOpen,
  });
  const change = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSuccess: () => cache.invalidateQueries({ queryKey }),
  });
  const save = (): void =>
    change.mutate(async () => {
      await account.views.create({ name: name.trim(), page, state: { ...state }, shared: isShared });
      setName('');
    });
  const group = (label: string, found: readonly SavedView[], mayChange: boolean): ReactNode =>
    found.length > 0 && (
      <Stack gap={4}>
        <Text size="xs" c="dimmed">
          {label}
        </Text>
        {found.map((view) => (
          <Group key={view.view_id} gap={4} wrap="nowrap">
            <Button
              variant="subtle"
              color="gray"
              justify="flex-start"
              flex={1}
              onClick={() => {
                setOpen(false);
                onOpen(view.state);
              }}
            >
              {view.name}
            </Button>
            {mayChange && (
              <>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`${view.name}: ${t('views.update')}`}
                  onClick={() =>
                    change.mutate(() =>
                      account.views.update(view.view_id, { state: { ...state } }, { version: view.version }),
                    )
                  }
                >
                  <RefreshCw size={14} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('views.delete', { name: view.name })}
                  onClick={() => change.mutate(() => account.views.delete(view.view_id))}
                >
                  <Trash size={14} aria-hidden />
                </ActionIcon>
              </>
            )}
          </Group>
        ))}
      </Stack>
    );
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={300} shadow="md" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<Bookmark size={14} aria-hidden />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t('views.button')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('views.button')}>
        <Stack gap="sm">
          {views.length === 0 && (
            <Text size="sm" c="dimmed">
              {t('views.none')}
            </Text>
          )}
          {group(
            t('views.own'),
            views.filter((view) => !view.shared),
            true,
          )}
          {group(
            t('views.all'),
            views.filter((view) => view.shared),
            canShare,
          )}
          <Divider />
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (name.trim() !== '') save();
            }}
          >
            <Stack gap="xs">
              <TextInput
                label={t('views.save')}
                placeholder={t('views.name')}
                maxLength={255}
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
              {change.error !== null && (
                <Alert color="red" role="alert" title={t('views.failed')}>
                  {problemOf(change.error).message ?? t(`errors.${problemOf(change.error).kind}.text`)}
                </Alert>
              )}
              <Button type="submit" loading={change.isPending} disabled={name.trim() === ''}>
                {t('views.doSave')}
              </Button>
            </Stack>
          </form>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
