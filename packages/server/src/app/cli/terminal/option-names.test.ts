import { expect, test } from 'vitest';
import { withOptionNames } from './option-names.ts';

test.each([
  [
    'The account has no field or attribute for the column "columns". Say in "columns" what they mean, or send "unknown_columns": "skip" or "create".',
    'The account has no field or attribute for the column "columns". Say in --column what they mean, or use --unknown-columns skip or create.',
  ],
  [
    'The file looks like UTF-16 without a byte order mark. Save it as UTF-8, or send "encoding": "utf-16le".',
    'The file looks like UTF-16 without a byte order mark. Save it as UTF-8, or use --encoding utf-16le.',
  ],
  [
    'Save the file as UTF-8, or name its encoding in "encoding"',
    'Save the file as UTF-8, or name its encoding in --encoding',
  ],
  ['Rename one, or leave it out with `columns`.', 'Rename one, or leave it out with --column.'],
  [
    'Say what they mean in `columns`, or what to do in `unknown_columns`.',
    'Say what they mean in --column, or what to do in --unknown-columns.',
  ],
  [
    'Invalid\n  audience_ids[0] is not the audience_id of a list of the account',
    'Invalid\n  --list is not the audience_id of a list of the account',
  ],
  ['Invalid\n  settings.rate_limit must be a number', 'Invalid\n  --setting rate_limit must be a number'],
  ['Invalid\n  time_zone must be an IANA name', 'Invalid\n  --time-zone must be an IANA name'],
  ['Invalid\n  columns.Remarks must be a field', 'Invalid\n  --column "Remarks=" must be a field'],
  [
    'audience_details.attributes_needed[1] is not a field; audience_details.audience_id is unknown',
    '--attributes is not a field; --list or --segment is unknown',
  ],
  ['Two columns mean the same: "time_zone"', 'Two columns mean the same: "time_zone"'],
  ['The encoding of the file is unknown', 'The encoding of the file is unknown'],
])('the command line shows the message %j of the service as %j', (message, shown) => {
  expect(withOptionNames(message)).toBe(shown);
});

test('only options of the command are named, because the other fields come from a file', () => {
  const message = 'Invalid\n  blocklist_type must be email or mobile\n  time_zone must be an IANA name';
  expect(withOptionNames(message, new Set(['--time-zone']))).toBe(
    'Invalid\n  blocklist_type must be email or mobile\n  --time-zone must be an IANA name',
  );
  expect(withOptionNames(message, new Set(['--json']))).toBe(message);
  const place = 'Invalid\n  audience_details.audience_id is unknown';
  expect(withOptionNames(place, new Set(['--list']))).toBe(place);
});

test('the options of commands that change one attribute are named', () => {
  expect(withOptionNames('Invalid\n  data[0].data_type must be text\n  data[0].mapping is unknown')).toBe(
    'Invalid\n  --type must be text\n  --mapping is unknown',
  );
  expect(withOptionNames('data[0].channel must be email')).toBe('data[0].channel must be email');
});

test.each([
  [
    'attributes.CITI: CITI is not a field. Did you mean CITY?',
    '--attribute CITI: CITI is not a field. Did you mean CITY?',
  ],
  ['output.fields[1]: CITI is not a field.', '--fields: CITI is not a field.'],
  ['output.sorting[0].field: CITI is not a field.', '--sort: CITI is not a field.'],
  [
    'data[0]: CITY is a system attribute and cannot be deleted.',
    '<attribute>: CITY is a system attribute and cannot be deleted.',
  ],
])('the option or argument is named in %j', (message, shown) => {
  expect(withOptionNames(message, new Set(['--attribute', '--fields', '--sort', '<attribute>']))).toBe(shown);
  expect(withOptionNames(message, new Set(['<file>']))).toBe(message);
});

test('a field with the name of an option or an argument is shown as that option or argument', () => {
  const available = new Set(['--from', '--to', '--limit', '--url', '<name>']);
  const shown = (message: string) => withOptionNames(message, available);
  expect(shown('from must be a date')).toBe('--from must be a date');
  expect(shown('Invalid\n  from must not be after to')).toBe('Invalid\n  --from must not be after --to');
  expect(shown('data[0].name must begin with a letter')).toBe('<name> must begin with a letter');
  expect(shown('name must not be empty')).toBe('<name> must not be empty');
  expect(shown('The mail from must be read')).toBe('The mail from must be read');
  // The URL of a subscription comes from a file.
  expect(shown('url must be an HTTPS URL')).toBe('url must be an HTTPS URL');
  expect(withOptionNames('from must be a date', new Set(['--list']))).toBe('from must be a date');
});

test('advice about the body of a request becomes advice about options and files', () => {
  expect(withOptionNames('Rename one in the file, or leave both out with null in "columns".')).toBe(
    'Rename one in the file, or leave both out with --column "<header>=".',
  );
  expect(withOptionNames('The request body is empty. Send the file as the body', new Set(['--list']))).toBe(
    'The file is empty',
  );
});
