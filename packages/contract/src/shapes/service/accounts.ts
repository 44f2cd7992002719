import { Type, type Static } from 'typebox';
import { scopes } from '../common/permissions.ts';
import { moment } from '../common/fields.ts';

const rejectExistingContacts = {
  description: 'True: a create request with an existing identity is refused as a whole, with 400. Default: false.',
};
const rejectForgottenContacts = {
  description:
    'True: contacts and activities of erased people fail with `contact_forgotten`. `DELETE …/contacts/{contact_id}?mode=erase` erases a person. Default: true.',
};
const autoCreateAttributes = {
  description:
    'True: an unknown attribute name in a contact creates the attribute, with the data type of its first value. Default: false.',
};
const csvFormulaGuard = {
  description:
    'True: in exports, a cell that a spreadsheet would read as a formula gets an apostrophe in front. Such a cell begins with =, +, -, @, their full-width forms, a tab or a line break, also after apostrophes. Values of number attributes do not change. The file gets a last column `roster:formula_guard`, so that an import can remove the apostrophes. False: files have the exact values. Default: false.',
};
const rateLimit = Type.Union([Type.Integer({ minimum: 0, maximum: 100_000_000 }), Type.Null()], {
  description:
    'Requests a minute that one API key can send to one process. 0: no limit. Null: the setting of the service. Default: null.',
});
const activityRetention = {
  minimum: 1,
  maximum: 600,
  description:
    'Months for which activities are kept, in addition to the current month. Whole months (UTC) are deleted. Older activities are refused and no longer shown. Default: 25.',
};
const dailyBatchLimit = {
  minimum: 0,
  maximum: 100_000_000,
  description:
    'Batch add requests (v3) that the account can send in a day, from midnight to midnight in its time zone. 0: none. Default: 100000.',
};

const buckets = {
  enum: [1, 16],
  description:
    '1: the requests of the account are applied one after the other, in the order of acceptance. 16: the contacts are divided by their identities into buckets, which up to 16 workers serve at the same time. Then the order of acceptance holds for each contact, but not from one contact to another. For accounts with many millions of contacts. Default: 1.',
};

const events = {
  description:
    'True: each change of a contact is written to the event feed, from which other systems read. Default: false.',
};
const eventRetention = {
  minimum: 1,
  maximum: 90,
  description: 'Days for which events are kept. Default: 7.',
};

const derivedAttributes = {
  description:
    'True: the service keeps derived attributes of contacts, such as the last open and an engagement score. They are computed from the activities. Default: false.',
};

/** Settings of an account, each with a default. */
export const AccountSettings = Type.Object(
  {
    reject_existing_contacts: Type.Optional(Type.Boolean(rejectExistingContacts)),
    reject_forgotten_contacts: Type.Optional(Type.Boolean(rejectForgottenContacts)),
    auto_create_attributes: Type.Optional(Type.Boolean(autoCreateAttributes)),
    csv_formula_guard: Type.Optional(Type.Boolean(csvFormulaGuard)),
    rate_limit: Type.Optional(rateLimit),
    activity_retention_months: Type.Optional(Type.Integer(activityRetention)),
    daily_batch_limit: Type.Optional(Type.Integer(dailyBatchLimit)),
    buckets: Type.Optional(Type.Integer(buckets)),
    events: Type.Optional(Type.Boolean(events)),
    event_retention_days: Type.Optional(Type.Integer(eventRetention)),
    derived_attributes: Type.Optional(Type.Boolean(derivedAttributes)),
  },
  {
    $id: 'AccountSettings',
    description: 'Settings of an account. An absent setting has its default.',
    additionalProperties: false,
  },
);

/** Settings of an account as they are stored. An absent setting has its default. */
export type AccountSettings = Static<typeof AccountSettings>;

/** Default settings of an account. */
export const defaultAccountSettings: Readonly<Required<AccountSettings>> = {
  reject_existing_contacts: false,
  reject_forgotten_contacts: true,
  auto_create_attributes: false,
  csv_formula_guard: false,
  rate_limit: null,
  activity_retention_months: 25,
  daily_batch_limit: 100_000,
  buckets: 1,
  events: false,
  event_retention_days: 7,
  derived_attributes: false,
};

/** Settings to change. Null resets a setting to its default. Absent settings do not change. */
const AccountSettingsChange = Type.Object(
  {
    reject_existing_contacts: Type.Optional(Type.Union([Type.Boolean(), Type.Null()], rejectExistingContacts)),
    reject_forgotten_contacts: Type.Optional(Type.Union([Type.Boolean(), Type.Null()], rejectForgottenContacts)),
    auto_create_attributes: Type.Optional(Type.Union([Type.Boolean(), Type.Null()], autoCreateAttributes)),
    csv_formula_guard: Type.Optional(Type.Union([Type.Boolean(), Type.Null()], csvFormulaGuard)),
    rate_limit: Type.Optional(rateLimit),
    activity_retention_months: Type.Optional(
      Type.Union([Type.Integer(activityRetention), Type.Null()], { description: activityRetention.description }),
    ),
    daily_batch_limit: Type.Optional(
      Type.Union([Type.Integer(dailyBatchLimit), Type.Null()], { description: dailyBatchLimit.description }),
    ),
    buckets: Type.Optional(Type.Union([Type.Integer(buckets), Type.Null()], { description: buckets.description })),
    events: Type.Optional(Type.Union([Type.Boolean(), Type.Null()], events)),
    event_retention_days: Type.Optional(
      Type.Union([Type.Integer(eventRetention), Type.Null()], { description: eventRetention.description }),
    ),
    derived_attributes: Type.Optional(Type.Union([Type.Boolean(), Type.Null()], derivedAttributes)),
  },
  { additionalProperties: false, 'x-refuse-null': true, minProperties: 1 },
);

const accountName = {
  minLength: 1,
  maxLength: 255,
  'x-plain-name': true,
  description: 'Name for people. It does not have to be unique.',
  examples: ['Acme India'],
};
const primaryKey = {
  'x-blank-is-absent': true,
  pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$',
  description:
    'Attribute that identifies a contact: `EMAIL`, `MOBILE`, or the name of a custom text attribute. The attribute is created if it does not exist.',
  examples: ['EMAIL', 'CUSTOMER_ID'],
};
const timeZone = {
  'x-blank-is-absent': true,
  format: 'time-zone',
  description: 'IANA name of the time zone of the account. It defines when a day begins.',
  examples: ['Asia/Kolkata'],
};

/** Body of account creation. */
export const CreateAccountBody = Type.Object(
  {
    name: Type.String(accountName),
    primary_key: Type.Optional(Type.String({ ...primaryKey, default: 'EMAIL' })),
    time_zone: Type.Optional(Type.String({ ...timeZone, default: 'UTC' })),
    settings: Type.Optional(AccountSettings),
  },
  { $id: 'CreateAccountBody', description: 'A new account.', additionalProperties: false },
);

/** Body of account update. It has at least one field. */
export const UpdateAccountBody = Type.Object(
  {
    name: Type.Optional(Type.String({ ...accountName, 'x-refuse-null': true })),
    primary_key: Type.Optional(
      Type.String({
        ...primaryKey,
        description: `${primaryKey.description} It can change only while the account has no contacts and no waiting requests.`,
      }),
    ),
    time_zone: Type.Optional(Type.String(timeZone)),
    settings: Type.Optional(AccountSettingsChange),
  },
  {
    $id: 'UpdateAccountBody',
    description: 'Changes of an account. Fields that are absent do not change.',
    additionalProperties: false,
    minProperties: 1,
  },
);

const exampleKey = 'rk_4fT9aQm2Xv7LdPz0WcYh8KsE3nRbUg6j';

const accountProperties = {
  account_id: Type.Integer({ examples: [1] }),
  name: Type.String(accountName),
  primary_key: Type.String({ description: primaryKey.description, examples: ['EMAIL'] }),
  time_zone: Type.String({ description: timeZone.description, examples: ['UTC'] }),
  settings: Type.Required(AccountSettings),
  created_at: moment('When the account was created.'),
  updated_at: moment('When the account was changed last.'),
};

/** An account as the operator API shows it. It has every setting, including defaults. */
export const Account = Type.Object(accountProperties, {
  $id: 'Account',
  description: 'An account: a tenant with its own contacts, audiences, attributes and keys.',
});

/** An account with its use of batch adds today, and of the file store. */
export const AccountDetail = Type.Object(
  {
    ...accountProperties,
    daily_batch: Type.Object(
      {
        limit: Type.Integer({ description: 'The setting `daily_batch_limit`.', examples: [100_000] }),
        used: Type.Integer({ minimum: 0, description: 'Requests that were accepted today.', examples: [1250] }),
        resets_at: moment('When the next day begins in the time zone of the account.'),
      },
      { description: 'Batch adds (v3) that the account has used today.' },
    ),
    stored_files: Type.Object(
      {
        limit: Type.Union([Type.Integer(), Type.Null()], {
          description: 'Bytes of `ROSTER_FILES_PER_ACCOUNT_MB`. Null: no limit.',
          examples: [null],
        }),
        used: Type.Integer({ minimum: 0, description: 'Bytes of the stored files.', examples: [52_428_800] }),
      },
      {
        description:
          'Files of the account in the file store: of unfinished imports, of failures, and of finished exports.',
      },
    ),
  },
  { $id: 'AccountDetail', description: 'An account with its settings.' },
);

/** Answer of account creation: the account and its first API key, which is shown only here. */
export const CreatedAccount = Type.Object(
  {
    ...accountProperties,
    api_key_id: Type.Integer({ examples: [1] }),
    api_key: Type.String({
      description: 'The first API key of the account. It is shown only in this answer.',
      examples: [exampleKey],
    }),
  },
  { $id: 'CreatedAccount', description: 'A new account with its first API key, which is shown only here.' },
);

/**
 * Maximum number of API keys of an account that are not revoked and have not expired. Each has its
 * own rate limit, and processes remember 10,000 keys of all accounts.
 */
export const apiKeysPerAccount = 1000;

/** Body of API key creation. */
export const CreateApiKeyBody = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 255,
      'x-plain-name': true,
      description: 'Purpose of the key, for people.',
      examples: ['Website 2026'],
    }),
    scopes: Type.Optional(
      Type.Array(Type.Enum([...scopes]), {
        minItems: 1,
        maxItems: scopes.length,
        description:
          'Rights of the key. Default: `contacts:read`, `contacts:write`, `attributes:read`, `attributes:write`, `export` and `activity:read`.',
      }),
    ),
    expires_at: Type.Optional(
      Type.Union([moment('A moment in the future.'), Type.Null()], {
        description: 'When the key stops working. Default: never.',
      }),
    ),
  },
  { $id: 'CreateApiKeyBody', description: 'A new API key.', additionalProperties: false },
);

const apiKeyProperties = {
  api_key_id: Type.Integer({ examples: [1] }),
  name: Type.String({ examples: ['Website 2026'] }),
  key_hint: Type.String({ description: 'The first characters of the key.', examples: ['rk_4fT9a'] }),
  scopes: Type.Array(Type.Enum([...scopes])),
  status: Type.Enum(['active', 'expired', 'revoked']),
  expires_at: Type.Union([moment('When the key stops working.'), Type.Null()]),
  revoked_at: Type.Union([moment('When the key was revoked.'), Type.Null()]),
  last_used_at: Type.Union([
    moment('When a request with the key was served last. It can be up to a minute old.'),
    Type.Null(),
  ]),
  created_at: moment('When the key was created.'),
};

/** An API key as the operator API shows it, without the key itself. */
export const ApiKey = Type.Object(apiKeyProperties, { $id: 'ApiKey', description: 'An API key without its secret.' });

/** Answer of API key creation. The key is shown only here. */
export const CreatedApiKey = Type.Object(
  {
    ...apiKeyProperties,
    api_key: Type.String({ description: 'The API key. It is shown only in this answer.', examples: [exampleKey] }),
  },
  { $id: 'CreatedApiKey', description: 'A new API key with its secret, which is shown only here.' },
);

export type CreateAccountBody = Static<typeof CreateAccountBody>;
export type UpdateAccountBody = Static<typeof UpdateAccountBody>;
export type Account = Static<typeof Account>;
export type AccountDetail = Static<typeof AccountDetail>;
export type CreatedAccount = Static<typeof CreatedAccount>;
export type CreateApiKeyBody = Static<typeof CreateApiKeyBody>;
export type ApiKey = Static<typeof ApiKey>;
export type CreatedApiKey = Static<typeof CreatedApiKey>;
