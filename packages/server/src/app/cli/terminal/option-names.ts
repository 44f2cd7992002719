/** The options of the command line by the fields of the interface that they set. */
const options: Readonly<Record<string, string>> = {
  audience_ids: '--list',
  blank_cells: '--blank-cells',
  columns: '--column',
  delimiter: '--delimiter',
  dry_run: '--dry-run',
  encoding: '--encoding',
  expires_at: '--expires-at',
  format: '--format',
  formula_guard: '--formula-guard',
  mode: '--mode',
  primary_key: '--primary-key',
  scopes: '--scope',
  time_zone: '--time-zone',
  unknown_columns: '--unknown-columns',
};

/** Places of a request by the options that give what stands there. */
const places: readonly (readonly [RegExp, string])[] = [
  [/(?<!["\w.])audience_details\.attributes_needed(\[\d+\])?/g, '--attributes'],
  [/(?<!["\w.])audience_details\.audience_id\b/g, '--list or --segment'],
  [/(?<!["\w.])audience_details\.blocklist_type\b/g, '--blocklist'],
  [/(?<!["\w.])(audience_ids|scopes)\[\d+\]/g, '$1'],
  [/(?<!["\w.])settings\.(\w+)/g, '--setting $1'],
];

const names = Object.keys(options).join('|');
// "unknown_columns": "skip" or "create"
const setting = new RegExp(String.raw`\bsend "(${names})": "([\w-]+)"(?: or "([\w-]+)")?`, 'g');
// A name in quotes is a field only after these words: elsewhere it can be a column of the caller's file.
const quoted = new RegExp(String.raw`\b(in|with|and|or) (["\`])(${names})\2`, 'g');
// Words that are also plain English are fields only where a fault begins with them.
const place = new RegExp(
  String.raw`(?<!["\`\w.-])(${names.replaceAll(/\b(columns|delimiter|encoding|format|mode)\|/g, '')})(?![\w".])`,
  'g',
);
const begun = new RegExp(
  String.raw`^( *)(columns|delimiter|encoding|format|mode)(?:\.([^\n:]+?))?(?= (?:must|is|has|cannot)\b)`,
  'gm',
);

/** A message of the service in the words of the command line: `--unknown-columns skip` for `"unknown_columns": "skip"`. */
export function inOptions(message: string): string {
  let text = message;
  for (const [pattern, option] of places) text = text.replace(pattern, option);
  return text
    .replace(setting, (_, name: string, first: string, second?: string) => {
      return `use ${options[name]} ${first}${second === undefined ? '' : ` or ${second}`}`;
    })
    .replace(quoted, (_, word: string, _quote, name: string) => `${word} ${options[name]}`)
    .replace(
      begun,
      (_, space: string, name: string, rest?: string) =>
        `${space}${options[name]}${rest === undefined ? '' : ` "${rest}="`}`,
    )
    .replace(place, (_, name: string) => options[name]!);
}
