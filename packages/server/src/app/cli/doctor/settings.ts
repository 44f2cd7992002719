import { type Config, ConfigError, readConfig } from '#platform/config/config.ts';
import { fault, ok, type Finding } from './findings/finding.ts';

/** Checks the settings. There is one finding for each invalid environment variable. */
export function checkSettings(env: Readonly<Record<string, string | undefined>>): {
  readonly config: Config | undefined;
  readonly findings: readonly Finding[];
} {
  try {
    return { config: readConfig(env), findings: [ok('All settings are valid.')] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'Correct the environment variable. docs/config.md describes it.';
    return { config: undefined, findings: error.faults.map((text) => fault(text, advice)) };
  }
}
