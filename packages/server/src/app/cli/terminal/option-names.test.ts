import { expect, test } from 'vitest';
import { describeFaults, withOptionNames } from './option-names.ts';

const importOptions = new Set(['--column', '--encoding', '--list', '--mode', '--unknown-columns', '<file>']);

test.each([
  [
    'The account has no field or attribute for the column "columns". Map it in "columns", or send "unknown_columns": "skip" or "create".',
    'The account has no field or attribute for the column "columns". Map it in --column, or use --unknown-columns skip or create.',
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
  ['Send unknown_columns.', 'Send --unknown-columns.'],
  ['No field is for the columns "mode" and "encoding"', 'No field is for the columns "mode" and "encoding"'],
  ['Two columns mean the same: "unknown_columns"', 'Two columns mean the same: "unknown_columns"'],
  ['The encoding of the file is unknown', 'The encoding of the file is unknown'],
  [
    'Rename one in the file, or leave both out with null in "columns".',
    'Rename one in the file, or leave both out with --column "<header>=".',
  ],
  ['The request body is empty. Send the file as the body', 'The file is empty'],
])('the command line shows the message %j of the service as %j', (message, shown) => {
  expect(withOptionNames(message, importOptions)).toBe(shown);
});

test.each([
  ['audience_ids[0]', 'is not the audience_id of a list', '--list', '--list is not the audience_id of a list'],
  ['settings.rate_limit', 'must be a number', '--setting', '--setting rate_limit must be a number'],
  ['time_zone', 'must be an IANA name', '--time-zone', '--time-zone must be an IANA name'],
  ['columns.My remarks', 'must be a field', '--column', '--column "My remarks=" must be a field'],
  ['audience_details.attributes_needed[1]', 'is not a field', '--attributes', '--attributes is not a field'],
  ['audience_details.audience_id', 'is unknown', '--list --segment', '--list or --segment is unknown'],
  ['audience_details.audience_id', 'is unknown', '--list', 'audience_details.audience_id is unknown'],
  ['data[0].data_type', 'must be text', '--type', '--type must be text'],
  ['data[0].mapping', 'is unknown', '--mapping', '--mapping is unknown'],
  ['data[0].channel', 'must be email', '--type', 'data[0].channel must be email'],
  ['data[0].name', 'must begin with a letter', '<name>', '<name> must begin with a letter'],
  ['data[0]', 'CITY cannot be deleted.', '<attribute>', '<attribute>: CITY cannot be deleted.'],
  ['attributes.CITI', 'Did you mean CITY?', '--attribute', '--attribute CITI: Did you mean CITY?'],
  ['attributes.CITI', 'Did you mean CITY?', '<file>', 'attributes.CITI: Did you mean CITY?'],
  ['output.fields[1]', 'CITI is not a field.', '--fields', '--fields: CITI is not a field.'],
  ['output.sorting[0].field', 'CITI is not a field.', '--sort', '--sort: CITI is not a field.'],
  ['from', 'must not be after to', '--from --to', '--from must not be after --to'],
  ['from', 'must be a date', '--list', 'from must be a date'],
  // The URL of a subscription comes from a file, and is not that of the service.
  ['url', 'must be an HTTPS URL', '--url', 'url must be an HTTPS URL'],
])('a fault of the field %s (%s) in a command with %s is shown as %j', (field, message, available, shown) => {
  expect(describeFaults([{ code: 'invalid', field, message }], new Set(available.split(' ')))).toBe(shown);
});

test('each fault has its own line, and only the first six are shown', () => {
  const faults = Array.from({ length: 8 }, (_, at) => ({ code: 'invalid', field: `name${at}`, message: 'is unknown' }));
  expect(describeFaults(faults.slice(0, 2), new Set(['--name1']))).toBe('name0 is unknown\n  --name1 is unknown');
  expect(describeFaults(faults, new Set()).split('\n').slice(-2)).toEqual(['  name5 is unknown', '  … and 2 more']);
});
