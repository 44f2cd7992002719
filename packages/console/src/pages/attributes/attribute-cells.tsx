import type { OperatorAttribute } from '@roster/client';
import { Group, Progress, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DateTime } from '#components/values/date-time.tsx';
import { cutText, formatDate, formatNumber, formatPercent } from '#components/values/format.ts';
import { ColourBadge } from '#components/values/status-badge.tsx';
import type { TypedValue } from '#components/inputs/typed-value-input.tsx';
import { useRunningWork } from '#shell/account/use-running-work.ts';
import { useTexts } from '#texts/use-texts.ts';
import { useContactTotal } from './registry/use-attributes.ts';

/** Longer values are cut off. */
const longestText = 200;

/** How many contacts have a value: as a number, a share and a bar. */
export function FilledCell({ filled }: { readonly filled: number }): ReactNode {
  const total = useContactTotal();
  const share = total === undefined || total === 0 ? undefined : Math.min(1, filled / total);
  return (
    <>
      <Group gap={4} wrap="nowrap" justify="flex-end" component="span">
        <Text component="span" inherit lh={1.3} c={filled === 0 ? 'dimmed' : undefined}>
          {formatNumber(filled)}
        </Text>
        {share !== undefined && (
          <Text component="span" size="xs" c="dimmed" w={48} ta="right">
            {shareText(share)}
          </Text>
        )}
      </Group>
      {/* Below the numbers, all bars have the same length, however long the numbers are. */}
      {share !== undefined && <Progress value={share * 100} mt={2} size={4} transitionDuration={0} aria-hidden />}
    </>
  );
}

/** The least share that is shown as a number. */
const least = 0.0001;

/** Formats a share. A small share is not shown as nothing, and nearly all is not shown as all. */
export function shareText(share: number): string {
  if (share <= 0 || share >= 1) return formatPercent(share, 0);
  if (share < least) return `< ${formatPercent(least, 2)}`;
  const digits = share < 0.01 || share > 0.99 ? 2 : 1;
  const shown = Math.min(share, 1 - least);
  return formatNumber(shown, { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits });
}

const indexColors = { none: 'gray', building: 'blue', ready: 'green', failed: 'red' } as const;

/** The state of the index of an attribute, with the progress of its build. */
export function IndexCell({
  attribute: { id, index_status: status },
}: {
  readonly attribute: OperatorAttribute;
}): ReactNode {
  const t = useTexts('attributes');
  const percent = useIndexProgress(id);
  if (status === 'none') return <Nothing />;
  const label = t(`index.short.${status}`);
  return (
    <ColourBadge color={indexColors[status]}>
      {status === 'building' && percent !== undefined ? `${label} ${formatPercent(percent / 100, 0)}` : label}
    </ColourBadge>
  );
}

/** Returns how much of the index of an attribute is built, in percent; undefined if unknown. */
export function useIndexProgress(attributeId: number): number | undefined {
  const work = useRunningWork().find(({ kind, id }) => kind === 'attribute_index' && id === String(attributeId));
  return work?.percent ?? undefined;
}

/** A value of an attribute, formatted by its type. It is always text, never HTML. */
export function ValueText({
  type,
  value,
}: {
  readonly type: OperatorAttribute['data_type'];
  readonly value: TypedValue;
}): ReactNode {
  const t = useTexts('attributes');
  const common = useTexts('common');
  if (value === null) return <Nothing />;
  if (typeof value === 'boolean') return common(value ? 'values.yes' : 'values.no');
  if (typeof value === 'number') return formatNumber(value, { maximumFractionDigits: 20 });
  const isMoment = (type === 'date' || type === 'datetime') && !Number.isNaN(Date.parse(value));
  if (isMoment) return type === 'date' ? formatDate(value) : <DateTime value={value} />;
  if (value.trim() === '') {
    return (
      <Text component="span" inherit c="dimmed">
        {t('values.blank')}
      </Text>
    );
  }
  return cutText(value, longestText);
}

/** Stands for a property that an attribute does not have. */
export function Nothing(): ReactNode {
  return (
    <Text component="span" inherit c="dimmed">
      –
    </Text>
  );
}
