import { RosterError } from '@roster/client';
import { exitCodeOf, exitCodes } from '../terminal/exit-codes.ts';
import { countedBytes, startProgress } from '../terminal/progress.ts';
import { shellWord } from '../terminal/shell-word.ts';
import type { Source } from './file.ts';
import type { ImportSession } from './import-session.ts';
import { importBody, type ImportOptions } from './options.ts';

/**
 * Creates the import, unless `--resume` names one, sends the file, or the rest of it, and returns the `import_id`.
 *
 * When the service stays away, the import waits for the rest. When anything else goes wrong, a new import is cancelled; one that was resumed
 * stays as it is, because the wrong file may have been named.
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
    const isAway = error instanceof RosterError && exitCodeOf(error) === exitCodes.unreachable;
    if (source.canReopen && (isAway || (isResumed && signal.aborted))) {
      const command = session.commandFor(importId, { file: shellWord(source.path!) });
      await output.note(`The import waits for the rest of the file for 24 hours. To send it:\n  ${command}`);
    } else if (!isResumed) await account.imports.cancel(importId).catch(() => undefined);
    throw error;
  }
  return importId;
}
