import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { formatNumber } from '#components/values/format.ts';
import { numberSeparators } from '#components/values/number-text.ts';
import { useTexts } from '#texts/use-texts.ts';

/**
 * An input for a whole number with limits, such as a setting. An empty input stays empty: it never
 * becomes a number that the person did not type. A number outside of the limits, and an empty input
 * that is required, get an error, and keep their form from being sent.
 */
export function WholeNumberField({
  value,
  onChange,
  min,
  max,
  required = false,
  error,
  ...field
}: Omit<NumberInputProps, 'value' | 'onChange' | 'min' | 'max' | 'clampBehavior' | 'allowDecimal'> & {
  /** Null: the input is empty. */
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
  readonly min: number;
  readonly max?: number;
}): ReactNode {
  const t = useTexts('common');
  const [isTouched, setTouched] = useState(false);
  const isWrong = value === null ? required : value < min || (max !== undefined && value > max);
  const limits = { min: formatNumber(min), max: max === undefined ? '' : formatNumber(max) };
  const fault = isWrong ? t(max === undefined ? 'values.wholeNumberFrom' : 'values.wholeNumber', limits) : undefined;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.setCustomValidity(fault ?? ''), [fault]);
  return (
    <NumberInput
      {...numberSeparators()}
      {...field}
      ref={input}
      min={min}
      max={max}
      // A number that changes by itself when the person goes on would be saved unseen.
      clampBehavior="none"
      allowDecimal={false}
      allowNegative={min < 0}
      required={required}
      error={isTouched && fault !== undefined ? fault : error}
      value={value ?? ''}
      onChange={(typed) => {
        setTouched(true);
        const number = typed === '' ? Number.NaN : Number(typed);
        onChange(Number.isFinite(number) ? number : null);
      }}
    />
  );
}

/**
 * A draft whose fields of whole numbers can be empty. A form sends it only when they are filled, see
 * {@link WholeNumberField}.
 */
export type WithEmpty<Draft, Key extends keyof Draft> = Omit<Draft, Key> & {
  readonly [Name in Key]: Draft[Name] | null;
};
