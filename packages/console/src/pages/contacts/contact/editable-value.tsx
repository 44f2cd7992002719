import {
  ActionIcon,
  Alert,
  Button,
  Group,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { Pencil } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { cutText } from '#components/values/format.ts';
import { useProblemText } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';
import styles from './contact.module.css';

/** The value of an attribute or field. */
export type Value = string | number | boolean | null;

/** How a value is edited: as a data type of attributes, or as a field of contacts. */
export type ValueKind = 'text' | 'long_text' | 'number' | 'boolean' | 'date' | 'datetime' | 'email' | 'tel';

/** Longer values are cut, and can be opened. */
const shownCharacters = 280;

/** A value that can be edited in place. It is shown as plain text in any direction. */
export function EditableValue({
  name,
  kind,
  value,
  shown,
  isMasked = false,
  canEdit,
  onSave,
}: {
  readonly name: string;
  readonly kind: ValueKind;
  readonly value: Value;
  /** What is shown instead of the value as it is. */
  readonly shown?: ReactNode;
  readonly isMasked?: boolean;
  readonly canEdit: boolean;
  /** Saves a value; null clears it. Rejects if the service refuses it. */
  readonly onSave: (value: Value) => Promise<unknown>;
}): ReactNode {
  const t = useTexts('contact');
  const [isEditing, setEditing] = useState(false);
  if (isEditing) {
    return <Editor {...{ name, kind, value, isMasked, onSave }} onClose={() => setEditing(false)} />;
  }
  return (
    <Group gap={4} wrap="nowrap" align="flex-start" justify="space-between" className={styles.value}>
      <div className={styles.text}>{shown ?? <LongText value={value} />}</div>
      {canEdit && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          className={styles.edit}
          aria-label={t('attributes.edit', { name })}
          onClick={() => setEditing(true)}
        >
          <Pencil size={14} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  );
}

function LongText({ value }: { readonly value: Value }): ReactNode {
  const t = useTexts('contact');
  const [isOpen, setOpen] = useState(false);
  if (value === null) {
    return (
      <Text size="sm" c="dimmed">
        {t('attributes.empty')}
      </Text>
    );
  }
  const text = typeof value === 'boolean' ? t(value ? 'editor.yes' : 'editor.no') : String(value);
  const isLong = text.length > shownCharacters;
  return (
    <>
      <Text size="sm" dir="auto" className={styles.anywhere}>
        {isOpen ? text : cutText(text, shownCharacters)}
      </Text>
      {isLong && (
        <UnstyledButton fz="xs" c="var(--mantine-color-anchor)" onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'attributes.showLess' : 'attributes.showAll')}
        </UnstyledButton>
      )}
    </>
  );
}

function Editor({
  name,
  kind,
  value,
  isMasked,
  onSave,
  onClose,
}: {
  readonly name: string;
  readonly kind: ValueKind;
  readonly value: Value;
  readonly isMasked: boolean;
  readonly onSave: (value: Value) => Promise<unknown>;
  readonly onClose: () => void;
}): ReactNode {
  const t = useTexts('contact');
  const problemText = useProblemText();
  const [text, setText] = useState(isMasked || value === null ? '' : String(value));
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<string | undefined>(undefined);

  async function save(given: Value): Promise<void> {
    setSaving(true);
    setError(undefined);
    try {
      await onSave(given);
      onClose();
    } catch (failure) {
      setError(problemText(failure));
      setSaving(false);
    }
  }
  const submit = (): void => void save(valueOf(kind, text));

  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap={6}>
        <Input {...{ name, kind, text, setText, onClose, submit }} />
        {isMasked && (
          <Text size="xs" c="dimmed">
            {t('editor.maskedHint')}
          </Text>
        )}
        {error !== undefined && (
          <Alert color="red" role="alert" p="xs">
            {error}
          </Alert>
        )}
        <Group gap="xs">
          <Button type="submit" loading={isSaving} disabled={text === ''}>
            {t('editor.save')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('editor.cancel')}
          </Button>
          {value !== null && (
            <Button variant="subtle" color="red" disabled={isSaving} onClick={() => void save(null)}>
              {t('editor.clear')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function Input({
  name,
  kind,
  text,
  setText,
  onClose,
  submit,
}: {
  readonly name: string;
  readonly kind: ValueKind;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly onClose: () => void;
  readonly submit: () => void;
}): ReactNode {
  const t = useTexts('contact');
  const common = {
    'aria-label': name,
    value: text,
    autoFocus: true,
    onKeyDown(event: KeyboardEvent): void {
      if (event.key === 'Escape') onClose();
      const isLine = kind === 'text' && !event.shiftKey;
      if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey || isLine)) return;
      // Without this, the field would get a line break too.
      event.preventDefault();
      submit();
    },
  };
  if (kind === 'boolean') {
    return (
      <SegmentedControl
        aria-label={name}
        value={text}
        onChange={setText}
        data={[
          { value: 'true', label: t('editor.yes') },
          { value: 'false', label: t('editor.no') },
        ]}
      />
    );
  }
  if (kind === 'text' || kind === 'long_text') {
    return (
      <Textarea
        {...common}
        autosize
        minRows={1}
        maxRows={12}
        dir="auto"
        onChange={(event) => setText(event.currentTarget.value)}
      />
    );
  }
  const types = { number: 'text', date: 'date', datetime: 'text', email: 'email', tel: 'tel' } as const;
  return (
    <TextInput
      {...common}
      type={types[kind]}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      placeholder={kind === 'datetime' ? '2026-01-31T09:00:00Z' : undefined}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}

/** Returns a typed text as a value. The service checks it. */
function valueOf(kind: ValueKind, text: string): Value {
  if (kind === 'boolean') return text === 'true';
  if (kind !== 'number') return text;
  const number = Number(text.replace(',', '.'));
  return Number.isFinite(number) && text.trim() !== '' ? number : text;
}
