import { readdir, readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { pauseReasons } from '../../contract/src/shapes/events/event-subscriptions.ts';
import { bulkChangeFailures } from '../../contract/src/shapes/service/bulk-changes.ts';
import { apiErrors } from '../../contract/src/catalogue/errors.ts';
import { mailErrors } from '../../contract/src/shapes/service/mails.ts';
import { deliveryErrors } from '../../contract/src/shapes/service/deliveries.ts';
import { failureKinds } from '../../contract/src/catalogue/failures.ts';
import { importFailures, importRowFailures } from '../../contract/src/catalogue/import-failures.ts';
import { reasons } from '#texts/de/parts/reasons.ts';
import { sentences } from '#texts/de/parts/reason-sentences.ts';
import { createReasonTranslator } from '#texts/translate-reason.ts';
import { dataTypes } from '../../contract/src/shapes/contacts/attributes.ts';
import { i18n, loadTexts, startTexts } from '#texts/load-texts.ts';

test('a name cannot turn around the question in which it stands', async () => {
  vi.stubGlobal('document', { documentElement: {} });
  await startTexts();
  await i18n.changeLanguage('en');
  await loadTexts('audiences');
  const question = (name: string) => i18n.t('delete.title', { ns: 'audiences', name } as never);

  expect(question('\u202Egnp.stsil\u202C \u2066x')).toBe('Delete “gnp.stsil x”?');
  expect(question('<b>שלום & "x"</b>')).toBe('Delete “<b>שלום & "x"</b>”?');
  vi.unstubAllGlobals();
});

test('one row or contact is not called rows or contacts', async () => {
  vi.stubGlobal('document', { documentElement: {} });
  await startTexts();
  // English comes last, because other tests use the same texts afterwards.
  for (const [language, row, contact] of [
    ['de', '1 Zeile', '0 von 1 Kontakt'],
    ['en', '1 row', '0 of 1 contact'],
  ] as const) {
    await i18n.changeLanguage(language);
    await Promise.all([loadTexts('exports'), loadTexts('filter')]);
    expect(i18n.t('detail.rowsDone', { ns: 'exports', count: 1, done: '1' } as never)).toBe(row);
    expect(i18n.t('bulk.running', { ns: 'filter', count: 1, done: '0', total: '1' } as never)).toBe(contact);
  }
  vi.unstubAllGlobals();
});

test('every reason of a failure has a German text', () => {
  const items = [failureKinds, importRowFailures, mailErrors].flatMap((table) => Object.values(table));
  const english = [
    ...items.map(({ message }) => message),
    ...Object.values(importFailures),
    ...Object.values(bulkChangeFailures),
    ...Object.values(pauseReasons),
    ...Object.values(deliveryErrors),
  ];
  expect(new Set(Object.keys(reasons))).toEqual(new Set(english));
});

test('a reason with details is translated sentence by sentence, and its details stay as they are', () => {
  const translate = createReasonTranslator({ reasons, sentences });
  expect(translate('The file is empty.')).toBe('Die Datei ist leer.');
  expect(
    translate(
      'Two columns have the same name: "A. B? $& {1}". Rename one in the file, or leave both out with null in "columns".',
    ),
  ).toBe(
    'Zwei Spalten haben denselben Namen: "A. B? $& {1}". Benennen Sie eine in der Datei um, oder lassen Sie beide mit null in "columns" weg.',
  );
  expect(translate('Line 3 of the file is not valid UTF-8. Nothing else is known.')).toBe(
    'Line 3 of the file is not valid UTF-8. Nothing else is known.',
  );
  const long = 'Two columns have the same name: "'.repeat(100);
  expect(translate(long)).toBe(long);
  expect(translate('')).toBe('');
});

test('the code of a system error after a reason does not prevent its translation', () => {
  const translate = createReasonTranslator({ reasons, sentences });
  expect(translate(`${deliveryErrors.connection_failed} (ECONNREFUSED)`)).toBe(
    `${reasons[deliveryErrors.connection_failed]} (ECONNREFUSED)`,
  );
});

test('every conflict that the service explains has a German text', async () => {
  const found = await textsOfSources('', [
    /'conflict', \{\s*params: \{\s*reason: (['`])(.+?)\1/gs,
    /\bconflict\((['`])(.+?)\1/gs,
    /const reason = (['`])(.+?)\1;/gs,
  ]);
  expect(found.length).toBeGreaterThan(15);
  expect(untranslated(found)).toEqual([]);
});

test('every reason why an export fails or a schedule does not run has a German text', async () => {
  const found = await textsOfSources('exports/', [
    /ExportFailure\((['`])(.+?)\1/gs,
    /Failure = (['`])(.+?)\1;/gs,
    /reason: (['`])(.+?)\1/gs,
    /return (`)(\$\{who\}.+?)\1/gs,
    /\? (`)(\$\{who\}.+?)\1/gs,
  ]);
  expect(found.length).toBeGreaterThan(10);
  const whole = found.flatMap((reason) =>
    reason.startsWith('7 may')
      ? ['The person', 'The API key'].map((who) =>
          reason.replace('7', `${who} that made or last changed this schedule`),
        )
      : [reason],
  );
  // A person is “who”, a key is “that”.
  expect(untranslated(whole.map((reason) => reason.replace('The person that', 'The person who')))).toEqual([]);
});

test('every reason why an import has no room for a file has a German text', async () => {
  const found = await textsOfSources('imports/', [/const message = (['`])([^;]+?)\1;\s*return [^;]*'storage_/gs]);
  expect(found).toHaveLength(4);
  expect(untranslated(found)).toEqual([]);
});

/** Errors that only a program can cause, or that contain a sentence of their own. */
const errorsOfPrograms = new Set([
  'answer_too_large',
  'apikey_lacks_scope',
  'body_too_deep',
  'conflict',
  'expectation_failed',
  'headers_too_large',
  'idempotency_conflict',
  'invalid_api_key',
  'invalid_apikey',
  'invalid_json',
  'invalid_operator_token',
  'invalid_request',
  'malformed_request',
  'method_not_allowed',
  'not_found',
  'parameters_too_large',
  'too_many_activities',
  'too_many_event_streams',
  'unknown_host',
  'unsupported_content_encoding',
  'unsupported_media_type',
]);

test('every error of a request of the console has a German text', () => {
  const found = Object.entries(apiErrors)
    .filter(([code]) => !errorsOfPrograms.has(code) && !code.startsWith('batch_'))
    .map(([, { description }]) =>
      description
        .replace('{place}', ' in account 7')
        .replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'hint' ? '' : '7')),
    );
  expect(found.length).toBeGreaterThan(20);
  expect(untranslated(found)).toEqual([]);
});

/** Returns the texts that patterns find in the sources of features. A detail is the number 7. */
async function textsOfSources(feature: string, patterns: readonly RegExp[]): Promise<string[]> {
  const folder = new URL(`../../server/src/features/${feature}`, import.meta.url);
  const files = await readdir(folder, { recursive: true });
  const texts: string[] = [];
  for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))) {
    const source = await readFile(new URL(file, folder), 'utf8');
    for (const pattern of patterns) {
      for (const [, , text = ''] of source.matchAll(pattern)) {
        // Some sentences have one of a few words in them.
        const words = text
          .replace(/^\$\{what\}/, 'The account has')
          .replace('${what}', text.includes('primary key') ? 'has contacts' : 'list 7')
          .replace('${error.message}', 'There is no room for the file.')
          .replace('${type}', 'list')
          .replace('${full}', 'The account has 7 indexed attributes, which is the maximum')
          .replace(/\$\{error\.faults.*/, 'Try again.');
        texts.push(words.replaceAll(/\$\{.+?\}/g, '7'));
      }
    }
  }
  return texts;
}

/** Returns the texts that have no German text. */
function untranslated(texts: readonly string[]): string[] {
  const translate = createReasonTranslator({ reasons, sentences });
  return texts.filter((text) => translate(text) === text);
}

test('each sentence has a German text with the same details', () => {
  for (const [english, german] of Object.entries(sentences)) {
    const details = (text: string) => [...text.matchAll(/\{\d\}/g)].map(([detail]) => detail).toSorted();
    expect(details(german), english).toEqual(details(english));
  }
});

test('a fault of a value names each data type in German, and an unknown text stays as it is', () => {
  const translate = createReasonTranslator({ reasons, sentences });
  for (const dataType of dataTypes) {
    expect(translate(`must be a value of the data type ${dataType}`)).toMatch(/^muss .+ sein$/);
  }
  expect(translate('must be a value of the data type colour')).toBe('must be a value of the data type colour');
});
