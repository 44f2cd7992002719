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
import { lazy, Suspense, useState, type KeyboardEvent, type ReactNode } from 'react';
import { cutText, formatNumber } from '#components/values/format.ts';
import { numberText, parseNumber } from '#components/values/number-text.ts';
import { useProblemText } from '#components/actions/problem-alert.tsx';
import { useTexts } from '#texts/use-texts.ts';
import styles from './contact.module.css';

// The calendar is large, and few values need it.
const MomentField = lazy(async () => ({ default: (await import('#components/dates/moment-field.tsx')).MomentField }));

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
  const text = typeof value === 'boolean' ? t(value ? 'editor.yes' : 'editor.no') : textOf(value);
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
  const common = useTexts('common');
  const problemText = useProblemText();
  const [text, setText] = useState(isMasked || value === null ? '' : textOf(value));
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
  function submit(): void {
    const given = valueOf(kind, text);
    if (given === undefined) setError(common('values.notANumber', { example: formatNumber(1234.5) }));
    else void save(given);
  }

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
  if (kind === 'datetime') {
    return (
      <Suspense fallback={<TextInput aria-label={name} disabled />}>
        <MomentField
          aria-label={name}
          autoFocus
          value={text === '' ? null : text}
          onChange={(moment) => setText(moment ?? '')}
        />
      </Suspense>
    );
  }
  const types = { number: 'text', date: 'date', email: 'email', tel: 'tel' } as const;
  return (
    <TextInput
      {...common}
      type={types[kind]}
      max={kind === 'date' ? '9999-12-31' : undefined}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}

/** Returns a value as a person reads and types it. */
export function textOf(value: Exclude<Value, null>): string {
  return typeof value === 'number' ? numberText(value) : String(value);
}

/** Returns a typed text as a value; undefined if it is not a number but should be. The service checks the rest. */
function valueOf(kind: ValueKind, text: string): Exclude<Value, null> | undefined {
  if (kind === 'boolean') return text === 'true';
  return kind === 'number' ? parseNumber(text) : text;
}
