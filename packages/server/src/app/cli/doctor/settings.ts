import { nearestName } from '@roster/contract';
import { type Config, ConfigError, readConfig, unknownSettings } from '#platform/config/config.ts';
import { settings } from '#platform/config/settings.ts';
import { fault, ok, warning, type Finding } from './findings/finding.ts';

/** Checks the settings. There is one finding for each environment variable that is invalid or unknown. */
export function checkSettings(env: Readonly<Record<string, string | undefined>>): {
  readonly config: Config | undefined;
  readonly findings: readonly Finding[];
} {
  const unknown = unknownSettings(env).map((name) =>
    warning(`${name} is not a setting, so it has no effect.`, `${suggestion(name)}docs/config.md lists all settings.`),
  );
  try {
    return { config: readConfig(env), findings: [ok('All settings are valid.'), ...unknown] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'Correct the environment variable. docs/config.md describes it.';
    return { config: undefined, findings: [...error.faults.map((text) => fault(text, advice)), ...unknown] };
  }
}

/** Returns a question with the nearest setting, if there is one. */
function suggestion(name: string): string {
  // Nearly all names begin with this, so it says nothing about what is meant.
  const withoutPrefix = (text: string): string => text.replace(/^ROSTER_/, '');
  const names = new Map(Object.values(settings).map(({ env }) => [withoutPrefix(env), env]));
  const nearest = nearestName(withoutPrefix(name), names.keys());
  return nearest === undefined ? '' : `Did you mean ${names.get(nearest)}? `;
}
