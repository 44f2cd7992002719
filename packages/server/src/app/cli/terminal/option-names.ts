import type { ErrorEntry } from '@roster/client';
import type { Command } from 'commander';
import { faultText } from '#platform/errors/api-error.ts';

/**
 * The options and arguments that set a field of a request, by its path without indexes. Fields with
 * the same name as their option are not listed, such as `time_zone` and `--time-zone`.
 */
const options: Readonly<Record<string, string>> = {
  audience_ids: '--list',
  blocklist_type: '--blocklist',
  columns: '--column',
  data: '<attribute>',
  data_masking: '--masking',
  data_type: '--type',
  default_value: '--default',
  failures_code: '--code',
  message_id: '--message',
  scopes: '--scope',
  'action.attribute': '--attribute',
  'action.audience_id': '--to-list',
  'action.channels': '--channel',
  'action.value': '--value',
  'audience_details.attributes_needed': '--attributes',
  'audience_details.audience_id': '--list or --segment',
  'audience_details.blocklist_type': '--blocklist',
  'output.fields': '--fields',
  'output.sorting': '--sort',
  'output.sorting.field': '--sort',
};

/** The options whose values name a part of a field, by the path before this part. */
const named: readonly (readonly [path: RegExp, option: string, value: string])[] = [
  [/^attributes\.(\w+)$/, '--attribute', '--attribute $1'],
  [/^columns\.(.+)$/, '--column', '--column "$1="'],
  [/^settings\.(\w+)$/, '--setting', '--setting $1'],
];

/** Options of every command, which are never fields of a request. */
const general = new Set(['--account', '--json', '--token', '--url', '--yes']);

/** Advice for users of the API, and the same advice for users of the command line. */
const advice: readonly (readonly [text: RegExp, option: string | undefined, other: string])[] = [
  [/\bwith null in (["`])columns\1/g, '--column', 'with --column "<header>="'],
  [/^.*The request body is empty\. Send the file as the body/, undefined, 'The file is empty'],
  [/(?<=^must not be after )to$/, '--to', '--to'],
];

/** Returns the options and arguments of a command, such as `--list` and `<name>`. */
export function optionsOf({ options: own, registeredArguments }: Command): ReadonlySet<string> {
  return new Set([...own.map(({ long }) => long!), ...registeredArguments.map((one) => `<${one.name()}>`)]);
}

/**
 * Describes the faults of a request for people at a terminal, one on each line. They get the options
 * and arguments instead of the fields that these set.
 *
 * `available` are the {@link optionsOf} the command. It has read other fields from a file, so they
 * keep their names.
 */
export function describeFaults(faults: readonly ErrorEntry[], available: ReadonlySet<string>): string {
  const lines = faults
    .slice(0, shownFaults)
    .map(({ field, message }) =>
      faultText({ field: optionOf(field, available), message: withOptionNames(message, available) }),
    );
  if (faults.length > shownFaults) lines.push(`… and ${faults.length - shownFaults} more`);
  return lines.join('\n  ');
}

/** Faults of a request that people see. With `--json`, they see all. */
const shownFaults = 6;

/** Returns the option or argument that sets a field, or the path of the field if there is none. */
function optionOf(field: string, available: ReadonlySet<string>): string {
  const path = field.replaceAll(/\[\d+\]/g, '');
  // Commands that change one attribute send an array with one element.
  const option = namesOf(available).get(path.replace(/^data\./, ''));
  if (option !== undefined) return option;
  const part = named.find(([pattern, own]) => available.has(own) && pattern.test(path));
  return part === undefined ? field : path.replace(part[0], part[2]);
}

/**
 * Replaces the fields that a message of the service names by options. For example,
 * `"unknown_columns": "skip"` becomes `--unknown-columns skip`. For `available`, see
 * {@link describeFaults}.
 */
export function withOptionNames(message: string, available: ReadonlySet<string>): string {
  let text = message;
  for (const [pattern, option, other] of advice) {
    if (option === undefined || available.has(option)) text = text.replace(pattern, other);
  }
  const names = namesOf(available);
  return (
    text
      // "unknown_columns": "skip" or "create"
      .replaceAll(
        /\bsend "(\w+)": "([\w-]+)"(?: or "([\w-]+)")?/g,
        (found, name: string, first: string, second = '') => {
          const option = names.get(name);
          return option === undefined ? found : `use ${option} ${first}${second === '' ? '' : ` or ${second}`}`;
        },
      )
      // A quoted name is a field only after these words. Elsewhere it may be a column of a file.
      .replaceAll(/(?<=\b(?:in|with) )(["`])(\w+)\1/g, (found, _quote, name: string) => names.get(name) ?? found)
      // No English word has an underscore.
      .replaceAll(/(?<!["`\w.-])[a-z]+_[a-z_]+(?![\w"`]|\.\w)/g, (name) => names.get(name) ?? name)
  );
}

/** Returns the options and arguments of a command by the fields that they set. */
function namesOf(available: ReadonlySet<string>): ReadonlyMap<string, string> {
  const alike = [...available]
    .filter((option) => !general.has(option))
    .map((option) => [option.replaceAll(/^--|[<>]/g, '').replaceAll('-', '_'), option] as const);
  const others = Object.entries(options).filter(([, option]) =>
    option.split(' or ').every((name) => available.has(name)),
  );
  return new Map([...alike, ...others]);
}
