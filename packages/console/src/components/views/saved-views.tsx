import { ActionIcon, Button, Divider, Group, Popover, ScrollArea, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AccountOperator, SavedView } from '@roster/client';
import { Bookmark, Pencil } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ProblemAlert } from '#components/actions/problem-alert.tsx';
import { ErrorState } from '#components/states/error-state.tsx';
import { useTexts } from '#texts/use-texts.ts';
import { ViewForm } from './view-form.tsx';

/** Maximum number of views that are shown for a page. */
const maxViews = 200;

/** What {@link SavedViews} needs. */
export interface SavedViewsProps {
  readonly accountId: number;
  readonly account: AccountOperator;
  /** The name of the page, such as `contacts`. */
  readonly page: string;
  readonly state: Readonly<Record<string, unknown>>;
  /** Whether the person may save views for everyone: the permission `segments:write`. */
  readonly canShare: boolean;
  /** Gets a saved state. Check it like an address, because an older version may have saved it. */
  readonly onOpen: (state: Record<string, unknown>) => void;
}

/**
 * Saves the state of a page under a name, and opens, renames, shares and deletes saved states. The
 * state is what the address of the page has.
 */
export function SavedViews(props: SavedViewsProps): ReactNode {
  const t = useTexts('common');
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={320} shadow="md" trapFocus>
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
        {isOpen && <Views {...props} onClose={() => setOpen(false)} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function Views({
  accountId,
  account,
  page,
  state,
  canShare,
  onOpen,
  onClose,
}: SavedViewsProps & { readonly onClose: () => void }): ReactNode {
  const t = useTexts('common');
  const [edited, setEdited] = useState<string | undefined>(undefined);
  // A new form after each saved view.
  const [saved, setSaved] = useState(0);
  const cache = useQueryClient();
  const queryKey = ['accounts', accountId, 'views', page];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => account.views.list({ signal, page, limit: maxViews }).take(maxViews),
  });
  const change = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    async onSuccess() {
      setEdited(undefined);
      setSaved((times) => times + 1);
      await cache.invalidateQueries({ queryKey });
    },
  });
  const view = (one: SavedView): ReactNode => {
    if (edited === one.view_id) {
      return (
        <ViewForm
          key={one.view_id}
          view={one}
          canShare={canShare}
          change={change}
          onSubmit={(next) => change.mutate(() => account.views.update(one.view_id, next, { version: one.version }))}
          onReplace={() =>
            change.mutate(() => account.views.update(one.view_id, { state: { ...state } }, { version: one.version }))
          }
          onDelete={() => change.mutate(() => account.views.delete(one.view_id))}
          onCancel={() => setEdited(undefined)}
        />
      );
    }
    return (
      <Group key={one.view_id} gap={4} wrap="nowrap">
        <Button
          variant="subtle"
          color="gray"
          justify="flex-start"
          flex={1}
          miw={0}
          onClick={() => {
            onClose();
            onOpen(one.state);
          }}
        >
          {one.name}
        </Button>
        {(canShare || !one.shared) && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('views.edit', { name: one.name })}
            onClick={() => {
              change.reset();
              setEdited(one.view_id);
            }}
          >
            <Pencil size={14} aria-hidden />
          </ActionIcon>
        )}
      </Group>
    );
  };
  const views = query.data ?? [];
  const group = (label: string, found: readonly SavedView[]): ReactNode =>
    found.length > 0 && (
      <Stack gap={4}>
        <Text size="xs" c="dimmed">
          {label}
        </Text>
        {found.map(view)}
      </Stack>
    );
  if (query.error !== null) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <Stack gap="sm">
      {query.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('views.none')}
        </Text>
      )}
      {views.length > 0 && (
        <ScrollArea.Autosize mah={320}>
          <Stack gap="sm">
            {group(
              t('views.own'),
              views.filter(({ shared }) => !shared),
            )}
            {group(
              t('views.all'),
              views.filter(({ shared }) => shared),
            )}
          </Stack>
        </ScrollArea.Autosize>
      )}
      {edited !== undefined && !views.some(({ view_id: id }) => id === edited) && (
        // Somebody else has deleted it, and its form is gone.
        <ProblemAlert error={change.error} title={t('views.failed')} />
      )}
      {edited === undefined && (
        <>
          <Divider />
          <ViewForm
            key={saved}
            canShare={canShare}
            change={change}
            onSubmit={(next) => change.mutate(() => account.views.create({ ...next, page, state: { ...state } }))}
          />
        </>
      )}
    </Stack>
  );
}
