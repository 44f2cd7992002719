import { expect, test, vi } from 'vitest';
import { pauseReasons } from '../../contract/src/shapes/events/event-subscriptions.ts';
import { bulkChangeFailures } from '../../contract/src/shapes/service/bulk-changes.ts';
import { deliveryErrors } from '../../contract/src/shapes/service/deliveries.ts';
import { failureKinds } from '../../contract/src/catalogue/failures.ts';
import { importFailures, importRowFailures } from '../../contract/src/catalogue/import-failures.ts';
import { dataTypes } from '../../contract/src/shapes/contacts/attributes.ts';
import { germanReason, reasons } from '#texts/de/parts/reasons.ts';
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

test('a fault of a value names each data type in German, and an unknown text stays as it is', () => {
  for (const dataType of dataTypes) {
    expect(germanReason(`must be a value of the data type ${dataType}`)).toMatch(/^muss .+ sein$/);
  }
  expect(germanReason('must be a value of the data type colour')).toBe('must be a value of the data type colour');
});
