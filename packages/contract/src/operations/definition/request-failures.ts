import type { FailureCode } from '../../catalogue/failures.ts';

const always = ['payload_unreadable', 'given_up', 'internal'] as const;
const attributeValues = [
  'attribute_unknown',
  'attribute_derived',
  'attribute_type_mismatch',
  'value_masked',
  'attribute_limit',
  'contact_too_large',
] as const;
const creation = [
  'contact_forgotten',
  'identity_invalid',
  'identity_mismatch',
  ...attributeValues,
  'list_unknown',
] as const;

/**
 * Failures and warnings that items can have, for each pipeline operation. Tests compare them with
 * the failures that a worker records.
 */
export const requestFailures = {
  'contact.create': ['contact_exists', 'identity_ignored', ...creation, ...always],
  'contact.batch-add': [
    'contact_invalid',
    'identity_missing',
    'too_many_attributes',
    'contact_exists',
    ...creation,
    ...always,
  ],
  'contact.update': [
    'contact_not_found',
    'contact_ambiguous',
    'contact_type_refused',
    'contact_changed',
    'identity_taken',
    ...creation,
    'withdrawn',
    ...always,
  ],
  'contact.delete': ['contact_not_found', 'contact_ambiguous', 'contact_forgotten', 'list_unknown', ...always],
  'contact.sign-up': [...creation, ...always],
  'contact.confirm': ['contact_not_found', 'identity_taken', ...creation, ...always],
  'contact.blacklist': ['contact_forgotten', 'identity_invalid', 'contact_too_large', ...always],
  'contact.block': ['contact_not_found', 'withdrawn', ...always],
  'contact.unblock': ['contact_not_found', 'withdrawn', ...always],
  'contact.erase': ['contact_not_found', 'withdrawn', ...always],
  'activity.record': ['identity_invalid', 'contact_forgotten', 'activity_in_future', 'activity_too_old', ...always],
  'attribute.create': [
    'attribute_exists',
    'attribute_count',
    'attribute_mapping',
    'attribute_defaults',
    'attribute_masked',
    ...always,
  ],
  'attribute.update': [
    'attribute_not_found',
    'attribute_repeated',
    'attribute_system',
    'attribute_exists',
    'attribute_mapping',
    'attribute_data_type',
    'attribute_default',
    'attribute_defaults',
    'attribute_masked',
    'attribute_in_use',
    'not_applied',
    'withdrawn',
    ...always,
  ],
  'attribute.delete': ['attribute_not_found', 'attribute_system', 'attribute_in_use', 'attribute_masked', ...always],
} as const satisfies Readonly<Record<string, readonly FailureCode[]>>;
