import { type Setting, settings } from '../../packages/server/src/platform/config/settings.ts';
import { generatedNote, table } from './markdown.ts';

/** Returns docs/config.md: every environment variable, from the table of settings. */
export function configPage(): string {
  const rows = Object.values<Setting<unknown>>(settings).map(({ env, doc, fallback, shownDefault, parse }) => [
    `\`${env}\``,
    `${shownDefault ?? `\`${String(fallback)}\``}${parse.range === undefined ? '' : `; ${parse.range}`}`,
    doc,
  ]);
  return `# Configuration

${generatedNote}

Environment variables configure Roster. A blank variable counts as unset. If a value is not valid,
the start fails with a message that names every faulty variable and says what is allowed. It shows
no secrets. A variable that begins with \`ROSTER_\` and is not a setting has no effect: the log and
\`roster doctor\` warn of it.

After the default of a number, the table has the allowed range.

${table(['Variable', 'Default', 'Meaning'], rows)}
`;
}
