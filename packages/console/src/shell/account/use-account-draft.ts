import type { AccountDetail, UpdateAccountBody } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MergeField } from '#components/merge/three-way-merge.ts';
import { useMerge } from '#components/merge/use-merge.ts';
import { versionOf } from '#components/merge/version-of.ts';
import { useAccount } from './use-account.ts';

/**
 * The state of a form that changes the account `stored`. The account can be loaded again while the
 * form is open, and somebody else can change it. `bodyOf` returns the body of a change. `onSaved` is
 * called after a change, even if the page is not open anymore.
 *
 * `opened` is the account as the form began with it, `change` saves the draft, and `conflict` is for
 * the `MergeDialog`.
 */
export function useAccountDraft<Draft extends object>(
  stored: AccountDetail,
  draftOf: (account: AccountDetail) => Draft,
  fields: readonly MergeField<Draft>[],
  bodyOf: (draft: Draft, base: AccountDetail) => UpdateAccountBody,
  onSaved?: () => void,
) {
  const { accountId, account } = useAccount();
  const cache = useQueryClient();
  const { save, conflict } = useMerge();
  const [opened, setOpened] = useState(stored);
  const [draft, setDraft] = useState(() => draftOf(stored));
  const change = useMutation({
    mutationFn: () =>
      save<AccountDetail, Draft>({
        stored: opened,
        draft,
        draftOf,
        fields,
        save: (next, base) => account.update(bodyOf(next, base), { ifMatch: versionOf(base) }),
      }),
    onSuccess(changed) {
      if (changed === undefined) return;
      setOpened(changed);
      setDraft(draftOf(changed));
      cache.setQueryData(['accounts', accountId, 'account'], changed);
      onSaved?.();
    },
  });
  const set = (changed: Partial<Draft>): void => setDraft({ ...draft, ...changed });
  return { opened, draft, set, change, conflict };
}
