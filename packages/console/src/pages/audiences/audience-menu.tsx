import { ActionIcon, Menu } from '@mantine/core';
import type { List, Segment } from '@roster/client';
import { Copy, Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { AudienceActionDialog, type AudienceAction } from './audience-dialogs.tsx';

/** The actions on one list or segment. Not shown to people who may not change it. */
export function AudienceMenu({
  audience,
  onDeleted,
}: {
  readonly audience: List | Segment;
  readonly onDeleted?: () => void;
}): ReactNode {
  const t = useTexts('audiences');
  const { can } = useAccount();
  const [action, setAction] = useState<AudienceAction | undefined>(undefined);
  const isList = audience.audience_type === 'list';
  const isMasked = audience.audience_type === 'segment' && audience.has_masked_conditions;
  if (!can(isList ? 'lists:write' : 'segments:write')) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('actionsOf', { name: audience.name })}>
            <Ellipsis size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Pencil size={14} aria-hidden />} onClick={() => setAction('rename')}>
            {t('rename.action')}
          </Menu.Item>
          {(!isList || can('contacts:write')) && (
            <Menu.Item
              leftSection={<Copy size={14} aria-hidden />}
              disabled={isMasked}
              onClick={() => setAction('duplicate')}
            >
              {t('duplicate.action')}
            </Menu.Item>
          )}
          {isMasked && (
            <Menu.Label maw={280} fw={400}>
              {t('masked.write')}
            </Menu.Label>
          )}
          <Menu.Divider />
          <Menu.Item c="red" leftSection={<Trash2 size={14} aria-hidden />} onClick={() => setAction('delete')}>
            {t('delete.action')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {action !== undefined && (
        <AudienceActionDialog
          action={action}
          audience={audience}
          onClose={() => setAction(undefined)}
          onDeleted={onDeleted}
        />
      )}
    </>
  );
}
