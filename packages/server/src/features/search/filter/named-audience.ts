import type { Faults, PartlyRead, SearchAudienceBody } from '@roster/contract';
import { requirementsOf, type CheckedFilter, type Condition } from './checked-filter.ts';

/**
 * Checks that an audience search names one audience, in one of two ways:
 * - by `audience_type` and `audience_id`
 * - by a condition on `list_id` or `segment_id` with `equals` and one value, outside of any `or`
 *
 * With the first way, such conditions are like all others: they only leave out contacts.
 */
export function checkNamedAudience(body: PartlyRead<SearchAudienceBody>, filter: CheckedFilter, faults: Faults): void {
  if ('audience_type' in body || 'audience_id' in body) {
    checkFields(body, faults);
    return;
  }
  const named = requirementsOf([filter]).filter(isAudience);
  const audiences = new Set(
    named.flatMap(({ field, values }) => values.map((value) => `${field.type} ${String(value)}`)),
  );
  if (audiences.size === 1) return;
  if (named[0] !== undefined) {
    faults.add('not_allowed', `must name one audience. ${oneOnly}`, (named[1] ?? named[0]).place);
    return;
  }
  const advice =
    'Send audience_type and audience_id, or an equals condition on list_id or segment_id that every match must meet';
  faults.add('required', `is required. ${advice}`, 'audience_type');
  faults.add('required', `is required. ${advice}`, 'audience_id');
}

const oneOnly = 'Name one audience only, or search with /contact/search';

function isAudience({ field, operation }: Condition): boolean {
  return (field.type === 'list' || field.type === 'segment') && operation === 'equals';
}

function checkFields(body: PartlyRead<SearchAudienceBody>, faults: Faults): void {
  for (const name of ['audience_type', 'audience_id'] as const) {
    const other = name === 'audience_id' ? 'audience_type' : 'audience_id';
    if (!(name in body)) faults.add('required', `is required together with ${other}`, name);
  }
}
