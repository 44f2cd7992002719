import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const condition = (field: string, value: unknown, operation = 'equals', category = 'audience') => ({
  field,
  field_category: category,
  operation,
  value,
});
const service = await forFile(startTestService());
const account = service.first;
const news: number = await account.createList('News');
const sports: number = await account.createList('Sports');
const filter = { filtering_criteria: [{ condition_details: [condition('CITY', 'Pune', 'equals', 'attribute')] }] };
const segment: number = (await account.operator('POST', '/segments', { name: 'Pune', ...filter })).body.audience_id;
await account.createContacts([
  { identity: 'a@example.com', attributes: { CITY: 'Pune' }, audience_details: { audience_id: news } },
  { identity: 'b@example.com', audience_details: { audience_id: [news, sports] } },
  { identity: 'c@example.com' },
]);

const output = { fields: ['identity'], sorting: [{ field: 'contact_id' }] };
const search = async (body: object) => {
  const answer = await account.v5('/contact/audience/search', { output, ...body });
  return answer.status === 200
    ? answer.body.data.map(({ identity }: { identity: string }) => identity[0]).join('')
    : answer.body.errors.map(({ code, field }: { code: string; field: string }) => `${code} ${field}`);
};
const group = (...conditions: object[]) => ({ condition_details: conditions });
const place = (at: number, index = 0) => `filtering_criteria[${index}].condition_details[${at}].value`;

describe('a condition in an audience search', () => {
  test('can name a list or a segment as the audience, with or without field_category', async () => {
    expect(await search({ filtering_criteria: [group(condition('list_id', [news]))] })).toBe('ab');
    expect(
      await search({ filtering_criteria: [group({ field: 'LIST_ID', operation: 'equals', value: String(sports) })] }),
    ).toBe('b');
    expect(await search({ filtering_criteria: [group(condition('segment_id', segment))] })).toBe('a');
  });

  test('can name the audience next to other conditions and groups joined by and', async () => {
    const pune = condition('CITY', 'Pune', 'equals', 'attribute');
    expect(await search({ filtering_criteria: [group(condition('list_id', news), pune)] })).toBe('a');
    const groups = { filtering_criteria: [group(condition('list_id', news)), group(pune)] };
    expect(await search({ filtering_criteria_operator: 'and', ...groups })).toBe('a');
    expect(
      await search({
        filtering_criteria: [group(condition('list_id', news), condition('list_id', sports, 'not_equals'))],
      }),
    ).toBe('a');
  });

  test('cannot name the audience inside an or, with another operation, or with several values', async () => {
    const none = ['required audience_type', 'required audience_id'];
    const pune = condition('CITY', 'Pune', 'equals', 'attribute');
    const inList = condition('list_id', news);
    expect(await search({})).toEqual(none);
    expect(await search({ filtering_criteria: [{ condition_operator: 'or', ...group(inList, pune) }] })).toEqual(none);
    expect(
      await search({ filtering_criteria_operator: 'or', filtering_criteria: [group(inList), group(pune)] }),
    ).toEqual(none);
    expect(await search({ filtering_criteria: [group(condition('list_id', news, 'not_equals'))] })).toEqual(none);
    expect(await search({ filtering_criteria: [group(condition('list_id', [news, sports]))] })).toEqual([
      `not_allowed ${place(0)}`,
    ]);
    expect(await search({ filtering_criteria: [group(inList, condition('segment_id', segment))] })).toEqual([
      `not_allowed ${place(1)}`,
    ]);
    expect(await search({ filtering_criteria: [group(inList, inList)] })).toBe('ab');
  });

  test('is a condition like others next to audience_type and audience_id', async () => {
    const fields = { audience_type: 'list', audience_id: news };
    const within = (...conditions: object[]) => search({ ...fields, filtering_criteria: [group(...conditions)] });
    expect(await within(condition('list_id', news))).toBe('ab');
    expect(await within(condition('list_id', sports))).toBe('b');
    expect(await within(condition('list_id', [news, sports]))).toBe('ab');
    expect(await within(condition('segment_id', segment))).toBe('a');
    expect(await search({ audience_type: 'list', filtering_criteria: [group(condition('list_id', news))] })).toEqual([
      'required audience_id',
    ]);
    expect(await search({ audience_id: news })).toEqual(['required audience_type']);
    const empty = { audience_type: '', audience_id: null };
    expect(await search({ ...empty, filtering_criteria: [group(condition('list_id', news))] })).toBe('ab');
  });

  test('must name an audience that exists', async () => {
    expect(await search({ filtering_criteria: [group(condition('list_id', 99))] })).toEqual([
      `not_found ${place(0)}[0]`,
    ]);
  });
});
