import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { formatNumber } from '#components/values/format.ts';
import { numberText, parseNumber } from '#components/values/number-text.ts';

/** The value of {@link NumberField}. A text is a number that came from elsewhere, such as an address. */
export type NumberValue = number | string | null | undefined;

/**
 * An input for a number in the language of the console, of any size and with any number of decimals.
 * A text that is not a number gets an error, and keeps its form from being sent.
 */
export function NumberField({
  value,
  onChange,
  isId = false,
  error,
  ...field
}: Omit<TextInputProps, 'value' | 'onChange'> & {
  readonly value: NumberValue;
  /** Gets null if the input is empty or not a number. */
  readonly onChange: (value: number | null) => void;
  /** An id has no separators. */
  readonly isId?: boolean;
}): ReactNode {
  const t = useTexts('common');
  const write = (number: NumberValue): string => (isId ? String(number ?? '') : textOf(number));
  const [text, setText] = useState(() => write(value));
  const [known, setKnown] = useState(value ?? '');
  if (known !== (value ?? '')) {
    // The value has changed elsewhere, for example by the Back button.
    setKnown(value ?? '');
    setText(write(value));
  }
  const isWrong = text.trim() !== '' && parseNumber(text) === undefined;
  const fault = isWrong ? t('values.notANumber', { example: formatNumber(1234.5) }) : undefined;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.setCustomValidity(fault ?? ''), [fault]);
  return (
    <TextInput
      {...field}
      ref={input}
      inputMode="decimal"
      autoComplete="off"
      error={fault ?? error}
      value={text}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        const number = parseNumber(typed) ?? null;
        setText(typed);
        setKnown(number ?? '');
        onChange(number);
      }}
      onBlur={(event) => {
        // The person sees how the text was read.
        if (!isWrong) setText(write(parseNumber(text)));
        field.onBlur?.(event);
      }}
    />
  );
}

function textOf(value: NumberValue): string {
  if (value === null || value === undefined || value === '') return '';
  const number = Number(value);
  return Number.isFinite(number) ? numberText(number) : String(value);
}
