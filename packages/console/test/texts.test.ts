import { readdir, readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { pauseReasons } from '../../contract/src/shapes/events/event-subscriptions.ts';
import { bulkChangeFailures } from '../../contract/src/shapes/service/bulk-changes.ts';
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

test('every reason of a failure has a German text', () => {
  const items = [failureKinds, importRowFailures].flatMap((table) => Object.values(table));
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
  const translate = createReasonTranslator({ reasons, sentences });
  const folder = new URL('../../server/src/features/', import.meta.url);
  const files = await readdir(folder, { recursive: true });
  const found: string[] = [];
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const source = await readFile(new URL(file, folder), 'utf8');
    for (const [, , reason = ''] of source.matchAll(/'conflict', \{\s*params: \{\s*reason: (['`])(.+?)\1/gs)) {
      // The sentence about the primary key has one of two ends.
      found.push(reason.replace('${what}', 'has contacts').replaceAll(/\$\{.+?\}/g, '7'));
    }
  }
  expect(found.length).toBeGreaterThan(5);
  expect(found.filter((reason) => translate(reason) === reason)).toEqual([]);
});

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
