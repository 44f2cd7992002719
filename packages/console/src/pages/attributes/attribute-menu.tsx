import type { OperatorAttribute } from '@roster/client';
import { ActionIcon, Menu, Text } from '@mantine/core';
import { Ellipsis, PaintBucket, Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import type { AttributeAction } from './dialogs/attribute-dialogs.tsx';
import { usePrimaryKey } from './registry/use-attributes.ts';

/** The actions on one attribute. Not shown to people who may not change it. */
export function AttributeMenu({
  attribute,
  onAction,
}: {
  readonly attribute: OperatorAttribute;
  readonly onAction: (action: AttributeAction, attribute: OperatorAttribute) => void;
}): ReactNode {
  const t = useTexts('attributes');
  const { can } = useAccount();
  const primaryKey = usePrimaryKey();
  if (!can('attributes:write')) return null;
  const isHidden = attribute.data_masking !== 'none' && !can('unmasked');
  const isKey = attribute.name === primaryKey;
  const noFill = isKey ? t('fill.key') : isHidden ? t('fill.masked') : undefined;
  const noDeletion = attribute.system
    ? t('delete.standard')
    : isKey
      ? t('delete.key')
      : isHidden
        ? t('delete.masked')
        : undefined;
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actionsOf', { name: attribute.name })}>
          <Ellipsis size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Pencil size={14} aria-hidden />} onClick={() => onAction('edit', attribute)}>
          {t('edit.action')}
        </Menu.Item>
        {can('contacts:write') && (
          <Menu.Item
            leftSection={<PaintBucket size={14} aria-hidden />}
            disabled={noFill !== undefined}
            onClick={() => onAction('fill', attribute)}
          >
            {t('fill.open')}
            <Reason text={noFill} />
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item
          c="red"
          leftSection={<Trash2 size={14} aria-hidden />}
          disabled={noDeletion !== undefined}
          onClick={() => onAction('delete', attribute)}
        >
          {t('delete.action')}
          <Reason text={noDeletion} />
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Why something is not possible. */
function Reason({ text }: { readonly text: string | undefined }): ReactNode {
  if (text === undefined) return null;
  return (
    <Text component="span" display="block" size="xs" c="dimmed">
      {text}
    </Text>
  );
}
