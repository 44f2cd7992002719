import type { BulkChange } from '@roster/client';
import { useCallback } from 'react';
import { useTexts } from '#texts/use-texts.ts';

/** Returns a function that says what a bulk change does, such as `Add to list 3`. */
export function useActionText(): (action: BulkChange['action']) => string {
  const t = useTexts('bulkChanges');
  const common = useTexts('common');
  return useCallback(
    ({ type, audience_id: list, attribute, value, channels }) => {
      if (type === 'set_attribute' && value === null) return t('actions.clear_attribute', { attribute });
      const names = (channels ?? []).map((channel) => common(`channels.${channel}`));
      const shown = { list, attribute, value: String(value ?? ''), channels: names.join(', ') };
      return t(`actions.${type}`, shown);
    },
    [t, common],
  );
}
