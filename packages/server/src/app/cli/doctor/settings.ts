import { type Config, ConfigError, readConfig } from '#platform/config/config.ts';
import { fault, ok, type Finding } from './finding.ts';

/** Reads the settings; the findings name every faulty variable. */
export function checkSettings(env: Readonly<Record<string, string | undefined>>): {
  readonly config: Config | undefined;
  readonly findings: readonly Finding[];
} {
  try {
    return { config: readConfig(env), findings: [ok('Every setting can be used.')] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'Correct the environment variable; docs/config.md describes it.';
    return { config: undefined, findings: error.faults.map((text) => fault(text, advice)) };
  }
}
