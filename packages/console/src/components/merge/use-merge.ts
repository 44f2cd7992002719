import { RosterError } from '@roster/client';
import { notifications } from '@mantine/notifications';
import { useCallback, useState } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { mergeDrafts, type MergeField } from './three-way-merge.ts';

/** How often a change is made again when somebody else changes other fields all the time. */
const maxMerges = 5;

/** A change of something that has a version. */
export interface MergedChange<Stored, Draft extends object> {
  /** The state with which the person began. */
  readonly stored: Stored;
  /** What the person wants. */
  readonly draft: Draft;
  /** Returns the draft of a state without changes. */
  readonly draftOf: (stored: Stored) => Draft;
  readonly fields: readonly MergeField<Draft>[];
  /** Saves a draft if the present state is still `base`, with `If-Match`. */
  readonly save: (draft: Draft, base: Stored) => Promise<Stored>;
  /** Called with the state that somebody else has made. */
  readonly onChanged?: (current: Stored) => void;
}

/** Fields that two people have changed, until the person chooses between them. */
export interface OpenConflict {
  readonly fields: readonly MergeField<object>[];
  readonly theirs: object;
  readonly yours: object;
  /** Ends the question with the draft to save; undefined: the person chose nothing. */
  readonly choose: (draft: object | undefined) => void;
}

/** What {@link useMerge} returns. */
export interface Merge {
  /**
   * Saves a change. If somebody else has changed other fields, both changes are kept. If somebody
   * else has changed the same field, the person chooses. Returns the state after the change, or
   * undefined if the person chose nothing: then nothing is saved.
   */
  readonly save: <Stored, Draft extends object>(change: MergedChange<Stored, Draft>) => Promise<Stored | undefined>;
  /** The open question, for `MergeDialog`. */
  readonly conflict: OpenConflict | undefined;
}

/**
 * Lets two people change the same thing. Show the `MergeDialog` with the result. The page must load
 * the texts of the area `merge`.
 */
export function useMerge(): Merge {
  const t = useTexts('merge');
  const [conflict, setConflict] = useState<OpenConflict>();

  const ask = useCallback(
    <Draft extends object>(fields: readonly MergeField<Draft>[], theirs: Draft, yours: Draft) =>
      new Promise<Draft | undefined>((resolve) => {
        const choose = (draft: object | undefined): void => {
          setConflict(undefined);
          resolve(draft as Draft | undefined);
        };
        setConflict({ fields: fields as unknown as OpenConflict['fields'], theirs, yours, choose });
      }),
    [],
  );

  const save = useCallback<Merge['save']>(
    async ({ stored, draft, draftOf, fields, save: send, onChanged }) => {
      let base = stored;
      let yours = draft;
      let isMerged = false;
      for (let merges = 0; ; merges++) {
        try {
          const saved = await send(yours, base);
          if (isMerged) notifications.show({ withCloseButton: false, message: t('merged') });
          return saved;
        } catch (error) {
          if (!(error instanceof RosterError) || error.code !== 'changed' || merges >= maxMerges) throw error;
          const current = error.current as typeof stored;
          onChanged?.(current);
          const theirs = draftOf(current);
          const merged = mergeDrafts(draftOf(base), theirs, yours, fields);
          isMerged = merged.conflicts.length === 0;
          const next = isMerged ? merged.draft : await ask(merged.conflicts, theirs, merged.draft);
          if (next === undefined) return undefined;
          if (JSON.stringify(next) === JSON.stringify(theirs)) return current;
          base = current;
          yours = next;
        }
      }
    },
    [ask, t],
  );

  return { save, conflict };
}
