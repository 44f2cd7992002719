/** The API fields and the command line options that set them. */
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
  preset: '--preset',
  opt_out: '--opt-out',
  mapping_of: '--mapping-of',
};

/** Paths in a request body, and the options that set their values. */
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
// A quoted name is a field only after these words. Elsewhere it may be a column of the user's file.
const quoted = new RegExp(String.raw`\b(in|with|and|or) (["\`])(${names})\2`, 'g');
// These names are also English words. They are fields only at the beginning of a fault.
const place = new RegExp(
  String.raw`(?<!["\`\w.-])(${names.replaceAll(/\b(columns|delimiter|encoding|format|mode)\|/g, '')})(?![\w".])`,
  'g',
);
const begun = new RegExp(
  String.raw`^( *)(columns|delimiter|encoding|format|mode)(?:\.([^\n:]+?))?(?= (?:must|is|has|cannot)\b)`,
  'gm',
);

/**
 * Replaces the API fields in a message of the service by options of the command line.
 * For example, `"unknown_columns": "skip"` becomes `--unknown-columns skip`.
 */
export function withOptionNames(message: string): string {
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
