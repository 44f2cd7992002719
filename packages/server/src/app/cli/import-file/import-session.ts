import type { AccountOperator } from '@roster/client';
import type { Command } from 'commander';
import type { Interrupt } from '../terminal/interrupt.ts';
import type { Output } from '../terminal/output.ts';
import { sameAccount } from '../terminal/session.ts';

/** What the steps of `roster import` share. */
export interface ImportSession {
  readonly output: Output;
  readonly account: AccountOperator;
  readonly interrupt: Interrupt;
  /** The command that goes on with an import, as one types it: with a word of the shell for its file, and with more options. */
  readonly commandFor: (importId: string, more?: { readonly file?: string; readonly options?: string }) => string;
}

/** Makes the session of a command. */
export function importSession(
  command: Command,
  parts: Pick<ImportSession, 'output' | 'account' | 'interrupt'>,
): ImportSession {
  return {
    ...parts,
    commandFor(importId, { file, options } = {}) {
      const words = ['roster import', file, sameAccount(command, parts.account), `--resume ${importId}`, options];
      return words.filter((word) => word !== undefined).join(' ');
    },
  };
}
