/** The API fields and the command line options that set them. */
const options: Readonly<Record<string, string>> = {
  audience_ids: '--list',
  blank_cells: '--blank-cells',
  blocklist_type: '--blocklist',
  columns: '--column',
  data_masking: '--masking',
  data_type: '--type',
  default_value: '--default',
  delimiter: '--delimiter',
  dry_run: '--dry-run',
  encoding: '--encoding',
  expires_at: '--expires-at',
  failed_since: '--failed-since',
  failures_code: '--code',
  format: '--format',
  formula_guard: '--formula-guard',
  message_id: '--message',
  mode: '--mode',
  new_name: '--new-name',
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
  // Commands that change one attribute send an array with one element.
  ...(['data_masking', 'data_type', 'default_value', 'new_name'] as const).map(
    (name) => [new RegExp(String.raw`(?<!["\w.])data\[0\]\.${name}\b`, 'g'), options[name]!] as const,
  ),
  [/(?<!["\w.])data\[0\]\.name\b/g, '<name>'],
  [/(?<!["\w.])data\[0\]\.category\b/g, '--category'],
  [/(?<!["\w.])data\[0\]\.mapping\b/g, '--mapping'],
  // The names of attributes are arguments.
  [/(?<!["\w.])data\[\d+\](?=[: ])/g, '<attribute>'],
  [/(?<!["\w.])attributes\.(?=\w+:)/g, '--attribute '],
  [/(?<!["\w.])output\.fields(\[\d+\])?/g, '--fields'],
  [/(?<!["\w.])output\.sorting(\[\d+\](\.field)?)?/g, '--sort'],
  [/(?<!["\w.])action\.attribute\b/g, '--attribute'],
  [/(?<!["\w.])action\.value\b/g, '--value'],
  [/(?<!["\w.])action\.audience_id\b/g, '--to-list'],
  [/(?<!["\w.])action\.channels\b/g, '--channel'],
  [/(?<!["\w.])audience_details\.attributes_needed(\[\d+\])?/g, '--attributes'],
  [/(?<!["\w.])audience_details\.audience_id\b/g, '--list or --segment'],
  [/(?<!["\w.])audience_details\.blocklist_type\b/g, '--blocklist'],
  [/(?<!["\w.])audience_ids\[\d+\]/g, '--list'],
  [/(?<!["\w.])scopes\[\d+\]/g, '--scope'],
  [/(?<!["\w.])settings\.(\w+)/g, '--setting $1'],
];

/** Advice for users of the API, and the same advice for users of the command line. */
const advice: readonly (readonly [RegExp, string, string])[] = [
  [/\bwith null in (["`])columns\1/g, '--column', 'with --column "<header>="'],
  [/The request body is empty\. Send the file as the body/g, '', 'The file is empty'],
  [/(?<=^ *from must not be after )to\b/gm, '--to', '--to'],
];

/** Options of every command, which are never fields of a request. */
const general = new Set(['--account', '--json', '--token', '--url', '--yes']);

/** Returns the fields with the names of options or arguments: `from` of `--from`, `name` of `<name>`. */
function namesakesOf(available: ReadonlySet<string>): Readonly<Record<string, string>> {
  const own = [...available].filter((option) => !general.has(option));
  return Object.fromEntries(own.map((option) => [option.replaceAll(/^--|[<>]/g, '').replaceAll('-', '_'), option]));
}

/** These names are also English words. They are fields only at the beginning of a fault. */
const words = new Set(['columns', 'delimiter', 'encoding', 'format', 'mode']);

/**
 * Replaces the API fields in a message of the service by options of the command line.
 * For example, `"unknown_columns": "skip"` becomes `--unknown-columns skip`.
 *
 * `available` are the options and the arguments of the command, such as `--list` and `<name>`;
 * default: all. Other fields stay: the command has read them from a file.
 */
export function withOptionNames(message: string, available?: ReadonlySet<string>): string {
  const isAvailable = (option: string): boolean =>
    available === undefined || (option.match(/--[\w-]+|<\w+>/g) ?? []).every((name) => available.has(name));
  const own = Object.keys(options).filter((name) => isAvailable(options[name]!));
  const namesakes = available === undefined ? {} : namesakesOf(available);
  let text = message;
  for (const [pattern, option, other] of advice) if (isAvailable(option)) text = text.replace(pattern, other);
  for (const [pattern, option] of places) if (isAvailable(option)) text = text.replace(pattern, option);
  const alike = Object.keys(namesakes).filter((name) => !Object.hasOwn(options, name));
  if (alike.length > 0) {
    // These names may be English words, so that they are fields only at the beginning of a fault.
    const fault = new RegExp(String.raw`^( *)(${alike.join('|')})(?= (?:must|is|has|cannot)\b)`, 'gm');
    text = text.replace(fault, (_, space: string, name: string) => `${space}${namesakes[name]!}`);
  }
  if (own.length === 0) return text;
  const names = own.join('|');
  // "unknown_columns": "skip" or "create"
  const setting = new RegExp(String.raw`\bsend "(${names})": "([\w-]+)"(?: or "([\w-]+)")?`, 'g');
  // A quoted name is a field only after these words. Elsewhere it may be a column of the user's file.
  const quoted = new RegExp(String.raw`\b(in|with|and|or) (["\`])(${names})\2`, 'g');
  const begun = new RegExp(
    String.raw`^( *)(${own.filter((name) => words.has(name)).join('|') || '(?!)'})(?:\.([^\n:]+?))?(?= (?:must|is|has|cannot)\b)`,
    'gm',
  );
  const place = new RegExp(
    String.raw`(?<!["\`\w.-])(${own.filter((name) => !words.has(name)).join('|') || '(?!)'})(?![\w".])`,
    'g',
  );
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
