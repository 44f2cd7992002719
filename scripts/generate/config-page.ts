import { type Setting, settings } from '../../packages/server/src/platform/config/settings.ts';
import { generatedNote, table } from './markdown.ts';

/** docs/config.md: every environment variable, from the table that reads them. */
export function configPage(): string {
  const rows = Object.values<Setting<unknown>>(settings).map(({ env, doc, fallback, shownDefault }) => [
    `\`${env}\``,
    shownDefault ?? `\`${String(fallback)}\``,
    doc,
  ]);
  return `# Configuration

${generatedNote}

Roster is configured by environment variables. A blank variable counts as unset. A value that cannot be used ends the start with a message that names
every faulty variable, and never repeats a value: it may be a secret.

${table(['Variable', 'Default', 'Meaning'], rows)}
`;
}
