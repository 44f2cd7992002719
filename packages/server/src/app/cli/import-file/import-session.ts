import type { AccountOperator } from '@roster/client';
import type { Command } from 'commander';
import type { Interrupt } from '../terminal/interrupt.ts';
import type { Output } from '../terminal/output.ts';
import { accountOptionsOf } from '../terminal/session.ts';

/** The values that the steps of `roster import` share. */
export interface ImportSession {
  readonly output: Output;
  readonly account: AccountOperator;
  readonly interrupt: Interrupt;
  /** Returns the command that continues an import. `file` must be quoted for the shell. */
  readonly commandFor: (importId: string, more?: { readonly file?: string; readonly options?: string }) => string;
}

/** Creates the session of a command. */
export function importSession(
  command: Command,
  parts: Pick<ImportSession, 'output' | 'account' | 'interrupt'>,
): ImportSession {
  return {
    ...parts,
    commandFor(importId, { file, options } = {}) {
      const words = ['roster import', file, accountOptionsOf(command, parts.account), `--resume ${importId}`, options];
      return words.filter((word) => word !== undefined).join(' ');
    },
  };
}
