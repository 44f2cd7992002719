import { ConfigError } from '#platform/config/config.ts';
import { describeFailure } from '../supervisor/failure.ts';
import { serve } from './commands/serve.ts';

/**
 * Runs `roster serve` and returns its exit code, like `runCommandLine`, but without loading the
 * other commands.
 */
export async function runService(): Promise<number> {
  try {
    await serve();
    return 0;
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    return error instanceof ConfigError ? 2 : 1;
  }
}
