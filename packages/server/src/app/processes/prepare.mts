import { readConfig } from '#platform/config/config.ts';
import { createLogger } from '#platform/observability/logger.ts';
import { describeFailure } from '../supervisor/failure.ts';
import { prepareDatabase } from '../supervisor/prepare-database.ts';
import type { PreparationAnswer } from '../supervisor/preparation.ts';

// The process that prepares the database and then ends. The supervisor starts it, and sends the URL
// of the database.

// Ctrl-C reaches all processes of the terminal. The supervisor waits until this process has ended.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
// The supervisor disconnects when it has the answer, or it was killed.
process.on('disconnect', () => process.exit(0));
process.once('message', (databaseUrl: string) => {
  void prepare(databaseUrl).then((answer) => process.send?.(answer));
});

async function prepare(databaseUrl: string): Promise<PreparationAnswer> {
  let isEmbedded = false;
  try {
    const given = readConfig();
    isEmbedded = given.databaseUrl === undefined;
    const config = { ...given, databaseUrl };
    return { prepared: await prepareDatabase(config, createLogger(config, 'roster')) };
  } catch (error) {
    return { failure: describeFailure(error, isEmbedded) };
  }
}
