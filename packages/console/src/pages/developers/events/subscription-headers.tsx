import type { ErrorEntry } from '@roster/client';
import { ActionIcon, Button, Code, Group, Input, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { Plus, RotateCcw, Trash2, X } from 'lucide-react';
import { useId, useRef, type ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { mostHeaders, newHeader, type HeaderDraft } from './header-draft.ts';

/**
 * The headers of the deliveries of a subscription. No answer of the API has the values of stored
 * headers, so they stay as they are until the person replaces all of them.
 */
export function SubscriptionHeaders({
  stored,
  drafts,
  faults,
  onChange,
}: {
  /** The names of the stored headers. */
  readonly stored: readonly string[];
  /** Undefined: the stored headers stay. */
  readonly drafts: readonly HeaderDraft[] | undefined;
  /** The faults of the last attempt to save. */
  readonly faults: readonly ErrorEntry[];
  readonly onChange: (drafts: readonly HeaderDraft[] | undefined) => void;
}): ReactNode {
  const t = useTexts('developers');
  const addButton = useRef<HTMLButtonElement>(null);
  const isStored = stored.length > 0;
  const isKept = isStored && drafts === undefined;
  const rows = drafts ?? [];
  const faultAt = (field: string): string | undefined => faults.find((one) => one.field === field)?.message;
  return (
    <Input.Wrapper
      label={t('headers.title')}
      description={t('headers.text')}
      error={faultAt('headers')}
      labelElement="div"
      role="group"
      aria-label={t('headers.title')}
    >
      <Stack gap="xs" my={6}>
        {isKept && (
          <Group gap={6}>
            {stored.map((name) => (
              <Code key={name} style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Code>
            ))}
          </Group>
        )}
        {isStored && (
          <Text size="sm" c="dimmed" role="status">
            {t(isKept ? 'headers.kept' : rows.length === 0 ? 'headers.removed' : 'headers.replaced')}
          </Text>
        )}
        {rows.map((header, at) => (
          <HeaderRow
            key={header.id}
            header={header}
            number={at + 1}
            fault={faultAt(`headers[${at}]`)}
            nameFault={faultAt(`headers[${at}].name`)}
            valueFault={faultAt(`headers[${at}].value`)}
            // Its name is known when the stored headers are replaced.
            startsWithValue={at === 0 && header.name !== ''}
            onChange={(next) => onChange(rows.map((one) => (one.id === header.id ? next : one)))}
            onRemove={() => {
              onChange(rows.filter(({ id }) => id !== header.id));
              addButton.current?.focus();
            }}
          />
        ))}
        <Group gap="xs">
          {!isKept && (
            <Button
              ref={addButton}
              variant="default"
              leftSection={<Plus size={14} aria-hidden />}
              disabled={rows.length >= mostHeaders}
              // The button that removed all headers is gone.
              autoFocus={isStored && rows.length === 0}
              onClick={() => onChange([...rows, newHeader()])}
            >
              {t('headers.add')}
            </Button>
          )}
          {isStored && (
            <Button
              variant={isKept ? 'default' : 'subtle'}
              leftSection={isKept ? undefined : <RotateCcw size={14} aria-hidden />}
              onClick={() => onChange(isKept ? stored.map((name) => newHeader(name)) : undefined)}
            >
              {t(isKept ? 'headers.replaceAll' : 'headers.keep')}
            </Button>
          )}
          {isKept && (
            <Button
              variant="subtle"
              color="gray"
              leftSection={<Trash2 size={14} aria-hidden />}
              onClick={() => onChange([])}
            >
              {t('headers.removeAll')}
            </Button>
          )}
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}

function HeaderRow({
  header,
  number,
  fault,
  nameFault,
  valueFault,
  startsWithValue,
  onChange,
  onRemove,
}: {
  readonly header: HeaderDraft;
  readonly number: number;
  /** What is wrong with the name or the value. */
  readonly fault: string | undefined;
  readonly nameFault: string | undefined;
  readonly valueFault: string | undefined;
  readonly startsWithValue: boolean;
  readonly onChange: (header: HeaderDraft) => void;
  readonly onRemove: () => void;
}): ReactNode {
  const t = useTexts('developers');
  const faultId = useId();
  return (
    <div
      role="group"
      aria-label={t('headers.one', { number })}
      aria-describedby={fault === undefined ? undefined : faultId}
    >
      <Group gap={6} align="flex-start">
        <TextInput
          flex="1 1 180px"
          aria-label={t('headers.nameOf', { number })}
          placeholder={t('headers.name')}
          required
          autoComplete="off"
          spellCheck={false}
          autoFocus={header.name === ''}
          value={header.name}
          error={nameFault ?? fault !== undefined}
          onChange={(event) => onChange({ ...header, name: event.currentTarget.value })}
        />
        <PasswordInput
          flex="1 1 180px"
          aria-label={t('headers.valueOf', { number })}
          placeholder={t('headers.value')}
          required
          // Otherwise, a browser can fill in the password of the person.
          autoComplete="new-password"
          visibilityToggleButtonProps={{
            'aria-label': t('headers.show', { number }),
            tabIndex: 0,
            'aria-hidden': false,
          }}
          autoFocus={startsWithValue}
          value={header.value}
          error={valueFault ?? fault !== undefined}
          onChange={(event) => onChange({ ...header, value: event.currentTarget.value })}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          size="input-sm"
          aria-label={t('headers.remove', { number })}
          onClick={onRemove}
        >
          <X size={16} />
        </ActionIcon>
      </Group>
      {fault !== undefined && (
        <Input.Error id={faultId} mt={4}>
          {fault}
        </Input.Error>
      )}
    </div>
  );
}
