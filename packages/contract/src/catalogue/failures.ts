/** One reason why an item of an accepted request was not applied, or only in part. */
export interface FailureKind {
  /** True when the rest of the item was applied. */
  readonly warning: boolean;
  readonly message: string;
}

/**
 * Every reason code of a failure. `docs/errors.md` is generated from this table. Operators read the
 * messages, so they never contain values of the contact.
 */
export const failureKinds = {
  identity_invalid: {
    warning: false,
    message:
      'The identity is not a valid value of the primary key of the account. EMAIL must be an email address, MOBILE 6 to 15 digits with the country code, and any other primary key at most 255 characters.',
  },
  identity_missing: { warning: false, message: 'The contact has no value for the primary key.' },
  identity_mismatch: {
    warning: false,
    message: 'The identity differs from the value of the primary key, or the contact would lose its primary key.',
  },
  identity_taken: { warning: false, message: 'Another contact already has this identity.' },
  identity_ignored: {
    warning: true,
    message: 'Anonymous contacts have no identity. The value of the primary key was left out.',
  },
  contact_not_found: { warning: false, message: 'No contact has this identifier.' },
  contact_ambiguous: {
    warning: false,
    message: 'Several contacts have this email or mobile. Name one of them by contact_id or identity.',
  },
  contact_exists: { warning: false, message: 'The contact exists already, and existing contacts are refused.' },
  contact_invalid: { warning: false, message: 'The contact is not valid.' },
  too_many_attributes: { warning: false, message: 'The contact has more than 20 attributes.' },
  contact_forgotten: {
    warning: false,
    message: 'The person was erased and must not be stored again (reject_forgotten_contacts). The item was not kept.',
  },
  contact_type_refused: { warning: false, message: 'The contact would not have the type of data.contact_type.' },
  contact_changed: {
    warning: false,
    message: 'The contact changed after the caller had read it (If-Match). Nothing was changed.',
  },
  attribute_unknown: {
    warning: true,
    message: 'The account has no attribute with this name. The value was left out.',
  },
  attribute_derived: {
    warning: true,
    message: 'The attribute is computed from activities. Record activities to change it. The value was left out.',
  },
  attribute_type_mismatch: {
    warning: true,
    message:
      'The value does not fit the data type of the attribute, or the text is too long. A text can have 1,000 characters, a long_text 65,536. The value was left out.',
  },
  value_masked: {
    warning: true,
    message:
      'The value is the mask of the stored value, as callers without the right to see unmasked values read it. The stored value was kept.',
  },
  attribute_limit: {
    warning: true,
    message: 'The account already has 500 attributes, so this one was not created. The value was left out.',
  },
  contact_too_large: {
    warning: true,
    message: 'The values of the contact would have more than 1,048,576 characters together. This value was left out.',
  },
  attribute_exists: { warning: false, message: 'The account already has an attribute with this name.' },
  attribute_not_found: { warning: false, message: 'The account has no attribute with this name or number.' },
  attribute_system: { warning: false, message: 'System attributes cannot be deleted, renamed or mapped.' },
  attribute_in_use: { warning: false, message: 'The attribute is in use. Change or delete what uses it first.' },
  attribute_repeated: { warning: false, message: 'The request names the attribute twice. Name it once.' },
  attribute_count: { warning: false, message: 'The account already has 500 attributes, which is the maximum.' },
  attribute_mapping: {
    warning: false,
    message:
      'The attribute cannot be mapped to this system attribute. Only one custom attribute of the same data type can be mapped to it.',
  },
  attribute_data_type: { warning: false, message: 'The data type of the attribute cannot change to the given one.' },
  attribute_default: { warning: false, message: 'The default value does not fit the data type of the attribute.' },
  attribute_defaults: {
    warning: false,
    message: 'The default values of the account would have more than 131,072 characters together.',
  },
  attribute_masked: {
    warning: false,
    message:
      'The attribute or its name is masked. To change it, ask an owner of the account for the right to see unmasked values, or use an API key with the scope unmasked.',
  },
  not_applied: {
    warning: false,
    message: 'Another item of the request failed. Such a request is applied as a whole or not at all.',
  },
  list_unknown: { warning: true, message: 'The account has no list with this audience_id. The list was left out.' },
  activity_in_future: {
    warning: false,
    message: 'The activity is more than a day in the future. Check the clock of the sender.',
  },
  activity_too_old: {
    warning: false,
    message: 'The activity is too old. The account keeps activities for activity_retention_months.',
  },
  withdrawn: {
    warning: false,
    message: 'Earlier requests took too long. The caller was told to try again, and nothing was changed.',
  },
  given_up: {
    warning: false,
    message:
      'Several worker processes crashed while they applied this request. It was given up, and nothing was applied. Send it again in smaller parts.',
  },
  payload_unreadable: { warning: false, message: 'The stored request could not be read.' },
  internal: { warning: false, message: 'The item could not be stored. The log of the worker says why.' },
} as const satisfies Record<string, FailureKind>;

/** A reason code of a failure. */
export type FailureCode = keyof typeof failureKinds;
