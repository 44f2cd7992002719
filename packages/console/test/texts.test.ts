import { expect, test, vi } from 'vitest';
import { bulkChangeFailures } from '../../contract/src/shapes/service/bulk-changes.ts';
import { failureKinds } from '../../contract/src/catalogue/failures.ts';
import { importFailures, importRowFailures } from '../../contract/src/catalogue/import-failures.ts';
import { reasons } from '#texts/de/parts/reasons.ts';
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
  ];
  expect(new Set(Object.keys(reasons))).toEqual(new Set(english));
});
