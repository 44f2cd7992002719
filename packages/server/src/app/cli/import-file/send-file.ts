import { RosterError } from '@roster/client';
import { exitCodeOf, exitCodes } from '../terminal/exit-codes.ts';
import { countedBytes, startProgress } from '../terminal/progress.ts';
import { quoteForShell } from '../terminal/shell.ts';
import type { Source } from './file.ts';
import type { ImportSession } from './import-session.ts';
import { importBody, type ImportOptions } from './options.ts';

/**
 * Sends the file to a new import, or the rest of the file to the import that `--resume` names.
 * Returns the `import_id`.
 *
 * If the service becomes unreachable, the import stays and can be resumed. After any other error, a
 * new import is cancelled. A resumed import stays, because the user may have named the wrong file.
 */
export async function sendFile(session: ImportSession, source: Source, options: ImportOptions): Promise<string> {
  const { output, account } = session;
  const { signal } = session.interrupt;
  const isResumed = options.resume !== undefined;
  const importId =
    options.resume ?? (await account.imports.create(importBody(options, source.name), { signal })).import_id;
  using progress = await startProgress(output.terminal, 'Sending', 'bytes');
  try {
    const content = countedBytes(() => source.open(), progress, source.size);
    await account.imports.send(importId, content, { signal, resume: isResumed, size: source.size });
  } catch (error) {
    const isUnreachable = error instanceof RosterError && exitCodeOf(error) === exitCodes.unreachable;
    if (source.canReopen && (isUnreachable || (isResumed && signal.aborted))) {
      const command = session.commandFor(importId, { file: quoteForShell(source.path!) });
      await output.note(`You can send the rest of the file within 24 hours:\n  ${command}`);
    } else if (!isResumed) await account.imports.cancel(importId).catch(() => undefined);
    throw error;
  }
  return importId;
}
