/* oxlint-disable max-lines */
// Generated from the contract by `npm run generate`. Edit packages/contract instead.

/** Accepts an invitation. A new person needs `name` and `password`. A signed-in person needs none. */
export interface AcceptInvitationBody {
  /** The part of the link after `#token=`. */
  readonly token: string;
  /** Name for people. */
  readonly name?: string | undefined;
  /** The new password: 10 to 200 characters. It must not be the e-mail address. */
  readonly password?: string | undefined;
}

/** The request is stored. The requests of an account are applied in the order of acceptance. */
export interface AcceptedAnswer {
  /** Identifier of the request, a time-ordered UUID. */
  readonly request_id: string;
  readonly code: 200;
  readonly status: 'success';
  readonly description: string;
  readonly outcome?: WaitedOutcome | undefined;
}

/** An account: a tenant with its own contacts, audiences, attributes and keys. */
export interface Account {
  readonly account_id: number;
  /** Name for people. It does not have to be unique. */
  readonly name: string;
  /** Attribute that identifies a contact: `EMAIL`, `MOBILE`, or the name of a custom text attribute. The attribute is created if it does not exist. */
  readonly primary_key: string;
  /** IANA name of the time zone of the account. It defines when a day begins. */
  readonly time_zone: string;
  readonly settings: {
    /** True: a create request with an existing identity is refused as a whole, with 400. Default: false. */
    readonly reject_existing_contacts: boolean;
    /** True: contacts and activities of erased people fail with `contact_forgotten`. `DELETE …/contacts/{contact_id}?mode=erase` erases a person. Default: true. */
    readonly reject_forgotten_contacts: boolean;
    /** True: an unknown attribute name in a contact creates the attribute, with the data type of its first value. Default: false. */
    readonly auto_create_attributes: boolean;
    /** True: in exports, a cell that a spreadsheet would read as a formula gets an apostrophe in front. Such a cell begins with =, +, -, @, their full-width forms, a tab or a line break, also after apostrophes. Values of number attributes do not change. The file gets a last column `roster:formula_guard`, so that an import can remove the apostrophes. False: files have the exact values. Default: false. */
    readonly csv_formula_guard: boolean;
    /** Requests a minute that one API key can send to one process. 0: no limit. Null: the setting of the service. Default: null. */
    readonly rate_limit: number | null;
    /** Months for which activities are kept, in addition to the current month. Whole months (UTC) are deleted. Older activities are refused and no longer shown. Default: 25. */
    readonly activity_retention_months: number;
    /** Batch add requests (v3) that the account can send in a day, from midnight to midnight in its time zone. 0: none. Default: 100000. */
    readonly daily_batch_limit: number;
    /** 1: the requests of the account are applied one after the other, in the order of acceptance. 16: the contacts are divided by their identities into buckets, which up to 16 workers serve at the same time. Then the order of acceptance holds for each contact, but not from one contact to another. For accounts with many millions of contacts. Default: 1. */
    readonly buckets: 1 | 16;
    /** True: each change of a contact is written to the event feed, from which other systems read. Default: false. */
    readonly events: boolean;
    /** Days for which events are kept. Default: 7. */
    readonly event_retention_days: number;
    /** True: the service keeps derived attributes of contacts, such as the last open and an engagement score. They are computed from the activities. Default: false. */
    readonly derived_attributes: boolean;
  };
  /** When the account was created. */
  readonly created_at: string;
  /** When the account was changed last. */
  readonly updated_at: string;
}

/** The deletion of an account, and its progress. */
export interface AccountDeletion {
  readonly account_id: number;
  /** The name that the account had. */
  readonly name: string;
  /** Who deleted it, as in the audit log. */
  readonly author: string;
  /** `completed`: all data is deleted. */
  readonly status: 'running' | 'completed';
  /** The table that is being emptied now. Null at the beginning and at the end. */
  readonly step: string | null;
  /** Number of table rows deleted so far. */
  readonly deleted_rows: number;
  readonly requested_at: string;
  /** When all data was deleted. */
  readonly finished_at: string | null;
}

/** An account with its settings. */
export interface AccountDetail {
  readonly account_id: number;
  /** Name for people. It does not have to be unique. */
  readonly name: string;
  /** Attribute that identifies a contact: `EMAIL`, `MOBILE`, or the name of a custom text attribute. The attribute is created if it does not exist. */
  readonly primary_key: string;
  /** IANA name of the time zone of the account. It defines when a day begins. */
  readonly time_zone: string;
  readonly settings: {
    /** True: a create request with an existing identity is refused as a whole, with 400. Default: false. */
    readonly reject_existing_contacts: boolean;
    /** True: contacts and activities of erased people fail with `contact_forgotten`. `DELETE …/contacts/{contact_id}?mode=erase` erases a person. Default: true. */
    readonly reject_forgotten_contacts: boolean;
    /** True: an unknown attribute name in a contact creates the attribute, with the data type of its first value. Default: false. */
    readonly auto_create_attributes: boolean;
    /** True: in exports, a cell that a spreadsheet would read as a formula gets an apostrophe in front. Such a cell begins with =, +, -, @, their full-width forms, a tab or a line break, also after apostrophes. Values of number attributes do not change. The file gets a last column `roster:formula_guard`, so that an import can remove the apostrophes. False: files have the exact values. Default: false. */
    readonly csv_formula_guard: boolean;
    /** Requests a minute that one API key can send to one process. 0: no limit. Null: the setting of the service. Default: null. */
    readonly rate_limit: number | null;
    /** Months for which activities are kept, in addition to the current month. Whole months (UTC) are deleted. Older activities are refused and no longer shown. Default: 25. */
    readonly activity_retention_months: number;
    /** Batch add requests (v3) that the account can send in a day, from midnight to midnight in its time zone. 0: none. Default: 100000. */
    readonly daily_batch_limit: number;
    /** 1: the requests of the account are applied one after the other, in the order of acceptance. 16: the contacts are divided by their identities into buckets, which up to 16 workers serve at the same time. Then the order of acceptance holds for each contact, but not from one contact to another. For accounts with many millions of contacts. Default: 1. */
    readonly buckets: 1 | 16;
    /** True: each change of a contact is written to the event feed, from which other systems read. Default: false. */
    readonly events: boolean;
    /** Days for which events are kept. Default: 7. */
    readonly event_retention_days: number;
    /** True: the service keeps derived attributes of contacts, such as the last open and an engagement score. They are computed from the activities. Default: false. */
    readonly derived_attributes: boolean;
  };
  /** When the account was created. */
  readonly created_at: string;
  /** When the account was changed last. */
  readonly updated_at: string;
  /** Batch adds (v3) that the account has used today. */
  readonly daily_batch: {
    /** The setting `daily_batch_limit`. */
    readonly limit: number;
    /** Requests that were accepted today. */
    readonly used: number;
    /** When the next day begins in the time zone of the account. */
    readonly resets_at: string;
  };
  /** Files of the account in the file store: of unfinished imports, of failures, and of finished exports. */
  readonly stored_files: {
    /** Bytes of `ROSTER_FILES_PER_ACCOUNT_MB`. Null: no limit. */
    readonly limit: number | null;
    /** Bytes of the stored files. */
    readonly used: number;
  };
}

/** A change in an account, for other systems. */
export interface AccountEvent {
  /** Place in the feed of the account. Positions grow by one in the order of commits. */
  readonly position: number;
  /** What happened. New kinds can be added. */
  readonly kind: 'contact.created' | 'contact.updated' | 'contact.deleted' | 'contact.erased' | 'contact.opted_out' | 'contact.opted_in' | 'contact.confirmed' | 'contact.blacklisted' | 'contact.unblacklisted' | 'contact.joined_list' | 'contact.left_list' | 'contact.entered_segment' | 'contact.left_segment' | 'segment.stopped' | 'list.deleted' | 'attribute.deleted' | 'import.completed' | 'import.failed' | 'import.cancelled' | 'export.completed' | 'export.failed' | 'export.cancelled' | 'events.stopped' | 'events.started';
  /** The contact. Null: no contact is concerned. */
  readonly contact_id: number | null;
  /** When the change was applied. */
  readonly occurred_at: string;
  /** The request that made the change, or null. */
  readonly request_id: string | null;
  /** What changed, by name. Never has values of contacts. Empty after the contact was erased. */
  readonly details: { readonly [name: string]: unknown };
}

/** Settings of an account. An absent setting has its default. */
export interface AccountSettings {
  /** True: a create request with an existing identity is refused as a whole, with 400. Default: false. */
  readonly reject_existing_contacts?: boolean | undefined;
  /** True: contacts and activities of erased people fail with `contact_forgotten`. `DELETE …/contacts/{contact_id}?mode=erase` erases a person. Default: true. */
  readonly reject_forgotten_contacts?: boolean | undefined;
  /** True: an unknown attribute name in a contact creates the attribute, with the data type of its first value. Default: false. */
  readonly auto_create_attributes?: boolean | undefined;
  /** True: in exports, a cell that a spreadsheet would read as a formula gets an apostrophe in front. Such a cell begins with =, +, -, @, their full-width forms, a tab or a line break, also after apostrophes. Values of number attributes do not change. The file gets a last column `roster:formula_guard`, so that an import can remove the apostrophes. False: files have the exact values. Default: false. */
  readonly csv_formula_guard?: boolean | undefined;
  /** Requests a minute that one API key can send to one process. 0: no limit. Null: the setting of the service. Default: null. */
  readonly rate_limit?: number | null | undefined;
  /** Months for which activities are kept, in addition to the current month. Whole months (UTC) are deleted. Older activities are refused and no longer shown. Default: 25. */
  readonly activity_retention_months?: number | undefined;
  /** Batch add requests (v3) that the account can send in a day, from midnight to midnight in its time zone. 0: none. Default: 100000. */
  readonly daily_batch_limit?: number | undefined;
  /** 1: the requests of the account are applied one after the other, in the order of acceptance. 16: the contacts are divided by their identities into buckets, which up to 16 workers serve at the same time. Then the order of acceptance holds for each contact, but not from one contact to another. For accounts with many millions of contacts. Default: 1. */
  readonly buckets?: 1 | 16 | undefined;
  /** True: each change of a contact is written to the event feed, from which other systems read. Default: false. */
  readonly events?: boolean | undefined;
  /** Days for which events are kept. Default: 7. */
  readonly event_retention_days?: number | undefined;
  /** True: the service keeps derived attributes of contacts, such as the last open and an engagement score. They are computed from the activities. Default: false. */
  readonly derived_attributes?: boolean | undefined;
}

/** How many activities an account has, by day and channel. To get a rate, divide two numbers, such as `open` by `delivered`. */
export interface ActivityStatistics {
  /** Time zone of the account, in which days begin. */
  readonly time_zone: string;
  /** First day. */
  readonly from: string;
  /** Last day. */
  readonly to: string;
  /** True while the numbers are computed again, for example because the account has a new time zone. Until then, they can be wrong. */
  readonly rebuilding: boolean;
  /** One row for each channel that has activities in the period. */
  readonly totals: ReadonlyArray<{
    readonly channel: 'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push';
    /** Messages that were sent. */
    readonly sent: number;
    /** Messages that were delivered. */
    readonly delivered: number;
    /** Opens. A person can open a message several times. */
    readonly open: number;
    /** Clicks. A person can click several times. */
    readonly click: number;
    /** Messages that bounced. */
    readonly bounce: number;
    /** Opt-outs. */
    readonly unsubscribe: number;
    /** Messages that were reported as spam. */
    readonly spam: number;
  }>;
  /** Oldest day first. Days and channels without activities are left out. */
  readonly days: ReadonlyArray<{
    /** The day, in the time zone of the account. */
    readonly day: string;
    readonly channel: 'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push';
    /** Messages that were sent. */
    readonly sent: number;
    /** Messages that were delivered. */
    readonly delivered: number;
    /** Opens. A person can open a message several times. */
    readonly open: number;
    /** Clicks. A person can click several times. */
    readonly click: number;
    /** Messages that bounced. */
    readonly bounce: number;
    /** Opt-outs. */
    readonly unsubscribe: number;
    /** Messages that were reported as spam. */
    readonly spam: number;
  }>;
}

/** `ActivityStatisticsQuery` of the interface; /docs of a running service describes it. */
export interface ActivityStatisticsQuery {
  /** First day, `YYYY-MM-DD`, in the time zone of the account. Default: 30 days that end with `to`. */
  readonly from?: string | undefined;
  /** Last day. Default: today. A period has at most 400 days. */
  readonly to?: string | undefined;
  /** Only this channel. */
  readonly channel?: 'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push' | undefined;
  /** Only this message. */
  readonly message_id?: number | undefined;
}

/** A new passkey. */
export interface AddPasskeyBody {
  /** Name for people. */
  readonly name: string;
  /** The new passkey: `PublicKeyCredential.toJSON()`. */
  readonly response: {
    /** Identifier of the passkey. */
    readonly id: string;
    /** The same identifier. */
    readonly rawId: string;
    readonly type: 'public-key';
    readonly response: {
      /** What the browser has signed, as base64url. */
      readonly clientDataJSON: string;
      /** The new passkey, as base64url. */
      readonly attestationObject: string;
      readonly transports?: readonly string[] | undefined;
    };
  };
}

/** An API key without its secret. */
export interface ApiKey {
  readonly api_key_id: number;
  readonly name: string;
  /** The first characters of the key. */
  readonly key_hint: string;
  readonly scopes: ReadonlyArray<'contacts:read' | 'contacts:write' | 'attributes:read' | 'attributes:write' | 'lists:read' | 'lists:write' | 'segments:read' | 'segments:write' | 'imports:read' | 'imports:write' | 'export' | 'exports:read' | 'activity:read' | 'activity:write' | 'events:read' | 'requests:read' | 'privacy:write' | 'unmasked'>;
  readonly status: 'active' | 'expired' | 'revoked';
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
  /** When the key was created. */
  readonly created_at: string;
}

/** An attribute of contacts. */
export interface AttributeRecord {
  /** Number of the attribute. */
  readonly id: number;
  readonly name: string;
  readonly entity_type: 'contact';
  readonly category: 'profile' | 'demographic' | 'location' | 'behaviour' | 'transaction' | 'preference' | 'custom';
  readonly data_type: 'text' | 'long_text' | 'number' | 'boolean' | 'date' | 'datetime';
  /** Masked like other values, for callers without the permission `unmasked`. */
  readonly default_value: string | number | boolean | null;
  readonly mapping: string | null;
  readonly data_masking: 'none' | 'partial' | 'full';
  /** True for the attributes that every account has. They cannot be deleted or renamed. */
  readonly system: boolean;
  /** When it was created. */
  readonly created_at: string;
  /** When its definition was changed last. */
  readonly updated_at: string;
}

/** Where an attribute is used. */
export interface AttributeUsage {
  readonly name: string;
  /** True when `usage` has entries. The attribute cannot be deleted then. */
  readonly in_use: boolean;
  /** Number of contacts that have a value. */
  readonly contacts_with_value: number;
  readonly usage: readonly AttributeUse[];
}

/** Where each attribute is used. */
export interface AttributeUsageAnswer {
  /** Identifier of the request, a time-ordered UUID. */
  readonly request_id: string;
  readonly code: 200;
  readonly status: 'success';
  readonly description: string;
  readonly data: readonly AttributeUsage[];
}

/** The attributes to report on. */
export interface AttributeUsageBody {
  readonly data: ReadonlyArray<string | number | {
    readonly name: string;
  } | {
    readonly id: number;
  }>;
}

/** One use of an attribute. */
export interface AttributeUse {
  /** What uses the attribute. `segment`: `id` is the audience_id. `primary_key`: `id` is the account. `mapping`: `id` is the attribute at the other end. `export`: `id` is the request_id of an unfinished export. `export_schedule`: `id` is the schedule_id. `event_subscription`: `id` is the subscription_id. `import`: `id` is the import_id of an unfinished import that is not a dry run. `bulk_change`: `id` is the bulk_change_id of an unfinished bulk change. `saved_view`: `id` is the view_id of a shared view; only for derived attributes. */
  readonly feature: 'segment' | 'primary_key' | 'mapping' | 'export' | 'export_schedule' | 'event_subscription' | 'import' | 'bulk_change' | 'saved_view';
  readonly id: number | string;
  readonly name: string;
}

/** The most frequent values of an attribute. */
export interface AttributeValues {
  /** The most frequent first. */
  readonly data: ReadonlyArray<{
    readonly value: string | number | boolean;
    /** Number of contacts with the value. */
    readonly count: number;
  }>;
  /** Number of contacts that have any value, or a value that matches `contains`. */
  readonly contacts_with_value: number;
  /** Number of different values. In a sample, those that it contains. */
  readonly distinct_values: number;
  /** How `contains` was compared. `starts_with`: the account is large, so the index of the attribute was used, which finds only the beginning of a text. */
  readonly match: 'contains' | 'starts_with';
  /** True when the numbers are estimated from a sample. A rare value can then be missing. */
  readonly estimated: boolean;
  /** Number of contacts in the sample. Null when all were counted. */
  readonly sample_size: number | null;
}

/** `AttributeValuesQuery` of the interface; /docs of a running service describes it. */
export interface AttributeValuesQuery {
  /** Values in the answer. Default: 20. */
  readonly limit?: number | undefined;
  /** Only values that contain this text, in any letter case. */
  readonly contains?: string | undefined;
}

/** One use of a list or segment. */
export interface AudienceUse {
  /** What uses the audience. `segment`: `id` is the audience_id of a segment whose filter names it. `export`: `id` is the request_id of an unfinished export of it. `export_schedule`: `id` is the schedule_id. `event_subscription`: `id` is the subscription_id. `import`: `id` is the import_id of an unfinished import that adds contacts to it. */
  readonly feature: 'segment' | 'export' | 'export_schedule' | 'event_subscription' | 'import';
  readonly id: number | string;
  readonly name: string;
  /** True when the audience cannot be deleted because of this use. */
  readonly prevents_deletion: boolean;
}

/** One change by an operator or a caller: who changed what, and when. */
export interface AuditLogEntry {
  readonly audit_id: number;
  readonly occurred_at: string;
  /** The author of the change: `operator`, `system`, or `api-key:` and the number of the key. */
  readonly actor: string;
  /** The action, as a noun and a verb. New actions can be added. */
  readonly action: 'account.create' | 'account.update' | 'account.delete' | 'account.delete-complete' | 'api-key.create' | 'api-key.revoke' | 'attribute.create' | 'attribute.update' | 'attribute.delete' | 'bulk-change.create' | 'bulk-change.complete' | 'bulk-change.cancel' | 'contact.update' | 'contact.export' | 'contact.erase' | 'contact.block' | 'contact.unblock' | 'delivery.replay' | 'derived_attributes.rebuild' | 'event_subscription.create' | 'event_subscription.update' | 'event_subscription.delete' | 'event_subscription.rotate_secret' | 'event_subscription.replay' | 'event_subscription.replay_delivery' | 'export.create' | 'export.cancel' | 'export_schedule.create' | 'export_schedule.update' | 'export_schedule.delete' | 'export_schedule.run' | 'export_schedule.disable' | 'forgotten.undo' | 'import.create' | 'import.complete' | 'import.cancel' | 'invitation.create' | 'invitation.delete' | 'list.create' | 'list.update' | 'list.delete' | 'member.add' | 'member.update' | 'member.remove' | 'member.link' | 'saved_view.create' | 'saved_view.update' | 'saved_view.delete' | 'segment.create' | 'segment.update' | 'segment.delete' | 'signing-secret.rotate';
  /** The changed object. */
  readonly subject: string;
  /** Details of the change. An update has `changes: {field: {from, to}}`. Never contains secrets or personal data. */
  readonly details: { readonly [name: string]: unknown };
}

/** A secret for an authenticator app. It is shown only in this answer. */
export interface AuthenticatorSecret {
  /** For typing it into an app. */
  readonly secret: string;
  /** For a QR code. */
  readonly uri: string;
}

/** The batch is stored. The requests of an account are applied in the order of acceptance. */
export interface BatchAddAnswer {
  /** Identifier of the job. */
  readonly message: string;
  readonly status: 200;
}

/** Contacts to add to a list. */
export interface BatchAddBody {
  /** The list that all contacts are added to. A JSON integer: `"12"` is refused. */
  readonly listid: number;
  /** E-mail address that gets a mail when the job has ended. */
  readonly notifyemail: string;
  /** URL that gets a POST when the job has ended, with `https` or `http`. The name `callback` is accepted, too. A private address is accepted, but called only if an operator has allowed it. **Get a delivery** shows the refusal. */
  readonly callbackurl: string;
  /** Name of the primary key of the account, in any letter case. */
  readonly primarykey: string;
  /** Contacts. Each is an object of names and values. A name is `EMAIL`, `MOBILE`, the primary key or an attribute. A contact can have up to 20 attributes. `""` and `"null"` clear a value. */
  readonly data: ReadonlyArray<{ readonly [name: string]: string | number | boolean | null }>;
}

/** An error of v3. */
export interface BatchAddErrorAnswer {
  readonly message: string;
  /** The HTTP status. */
  readonly status: number;
}

/** The result of a batch add job. */
export interface BatchAddReport {
  /** Identifier of the job: `message` of the answer. */
  readonly job_id: string;
  readonly status: 'completed';
  /** The list. */
  readonly listid: number;
  /** Contacts in the batch: created + updated + failed. */
  readonly total: number;
  /** New contacts. */
  readonly created: number;
  /** Existing contacts, including those that did not change. */
  readonly updated: number;
  /** Contacts that failed. */
  readonly failed: number;
  /** Reasons of failed contacts, and parts of other contacts that were left out, in the order of the contacts. */
  readonly errors: ReadonlyArray<{
    /** Index of the contact in `data`. */
    readonly index: number;
    /** Reason code. docs/errors.md lists all codes. */
    readonly code: string;
    /** The reason. It begins with the name of the attribute, if the reason concerns one. */
    readonly message: string;
  }>;
}

/** The request is stored. The requests of an account are applied in the order of acceptance. */
export interface BlacklistContactsAnswer {
  /** Identifier of the request. */
  readonly message: string;
  readonly status: 200;
}

/** The contacts to opt out of a channel. */
export interface BlacklistContactsBody {
  /** Values of the primary key of the account. A repeated value changes nothing more. */
  readonly data: readonly unknown[];
}

/** One action on many contacts, and its progress. */
export interface BulkChange {
  readonly bulk_change_id: string;
  /** `accepted`: waits for a worker. `failed`: see `failure`. `cancelled`: contacts that were changed before stay changed. */
  readonly status: 'accepted' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** Who created it, as in the audit log. */
  readonly author: string;
  readonly action: {
    /** `add_to_list` and `remove_from_list` need `audience_id`. `set_attribute` needs `attribute` and `value`. `opt_out` and `opt_in` need `channels`. `delete` deletes the contacts. `erase` erases the people with all traces, and needs the permission `privacy:write`. */
    readonly type: 'add_to_list' | 'remove_from_list' | 'set_attribute' | 'opt_out' | 'opt_in' | 'delete' | 'erase';
    /** Number of the list. */
    readonly audience_id?: number | undefined;
    /** Name of an attribute. It must not be EMAIL, MOBILE or the primary key. */
    readonly attribute?: string | undefined;
    /** The new value. It must fit the data type. Null clears the value. */
    readonly value?: string | number | boolean | null | undefined;
    /** One or more channels. */
    readonly channels?: ReadonlyArray<'email' | 'sms' | 'whatsapp'> | undefined;
  };
  /** How the contacts were chosen. The filter of an ended `erase` is missing, because it can name the people. */
  readonly selection: {
    readonly by: 'filter' | 'contact_ids' | 'all';
    /** Combines the groups. Required when there is more than one. */
    readonly filtering_criteria_operator?: 'and' | 'or' | undefined;
    /** Groups of conditions. Absent or empty: all contacts of the account. */
    readonly filtering_criteria?: ReadonlyArray<{
      /** Combines the conditions of the group. Default: `and`. */
      readonly condition_operator?: 'and' | 'or' | undefined;
      readonly condition_details: ReadonlyArray<{
        /** Name of a config field, an audience field or an attribute, in any letter case. `activity` for the activities of the contact. */
        readonly field: string;
        /** `equals`, `not_equals`, `equals_ignore_case`, `not_equals_ignore_case`, `contains`, `not_contains`, `starts_with`, `ends_with`, `greater_than`, `greater_than_or_equal`, `less_than`, `less_than_or_equal`, `between`, `in_last`, `not_in_last`, `in_next`, `anniversary`, `anniversary_in_next`, `is_null` or `is_not_null`. For the field `activity`: `at_least`, `at_most`, `exactly` or `never`. */
        readonly operation: string;
        /** Values to compare with. A single value can be sent without the array. For dates and date-times, also relative dates, such as `today`, `-30 days` or `this month`. For `in_last` and similar operations, a length of time, such as `30 days`. For the field `activity`, how often it happened, such as 1. */
        readonly value?: ReadonlyArray<string | number | boolean> | undefined;
        /** Optional. The service finds the category by the name of the field. */
        readonly field_category?: 'config' | 'audience' | 'attribute' | 'derived' | 'activity' | undefined;
        /** Only for the field `activity`. What happened: one of these. Default: anything, also `sent`. */
        readonly activity?: ReadonlyArray<'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam'> | undefined;
        /** Only for the field `activity`. On one of these channels. Default: on any. */
        readonly channel?: ReadonlyArray<'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push'> | undefined;
        /** Only for the field `activity`. With one of these messages. Default: with any. */
        readonly message_id?: readonly number[] | undefined;
        /** Only for the field `activity`. With a message of one of these names, instead of `message_id`. The name that the activity was recorded with counts, and the latest name of its message. */
        readonly message_name?: readonly string[] | undefined;
        /** Only for the field `activity`. When they happened. Default: at any time that the account keeps. */
        readonly when?: {
          /** `in_last`, `not_in_last`, `equals`, `less_than`, `less_than_or_equal`, `greater_than`, `greater_than_or_equal`, `between`. The same as for a date-time field. */
          readonly operation: string;
          /** A length of time, such as `30 days`, for `in_last` and `not_in_last`. For the other operations: dates, date-times or relative dates, such as `today`, `-30 days` or `last month`. */
          readonly value?: ReadonlyArray<string | number | boolean> | undefined;
        } | undefined;
      }>;
    }> | undefined;
    readonly audience_type?: 'list' | 'segment' | undefined;
    readonly audience_id?: readonly number[] | undefined;
  };
  /** The number that a person has confirmed. */
  readonly expected_count: number;
  readonly progress: {
    /** Number of chosen contacts. Null until they are chosen, at the beginning of the first run. */
    readonly total: number | null;
    /** Contacts that are changed, unchanged or failed. */
    readonly done: number;
    /** From 0 to 100. Only a completed bulk change shows 100. */
    readonly percent: number;
    /** Null when it is unknown. */
    readonly contacts_per_second: number | null;
    /** Expected seconds until the end. Null when it is unknown. */
    readonly seconds_left: number | null;
  };
  readonly counts: {
    /** Contacts that were changed, deleted or erased. */
    readonly changed: number;
    /** Contacts that were already as wanted. */
    readonly unchanged: number;
    /** Contacts that failed. **List the failures of a bulk change** lists them. */
    readonly failed: number;
    /** Warnings about contacts of which one part was left out. */
    readonly warnings: number;
  };
  /** Why the bulk change failed as a whole. Null if it did not. */
  readonly failure: {
    readonly code: string;
    readonly message: string;
  } | null;
  readonly created_at: string;
  /** When a worker first began. */
  readonly started_at: string | null;
  /** When it ended. */
  readonly finished_at: string | null;
}

/** Why one contact was not changed, or only in part. */
export interface BulkChangeFailure {
  readonly contact_id: number;
  /** A code of docs/errors.md. */
  readonly code: string;
  /** The field that failed, or null. */
  readonly field: string | null;
  readonly message: string;
  /** True: only a part was left out, and the rest of the change was made. */
  readonly warning: boolean;
}

/** A new password. */
export interface ChangePasswordBody {
  /** The new password: 10 to 200 characters. It must not be the e-mail address. */
  readonly new_password: string;
}

/** A new password. */
export interface CompletePasswordResetBody {
  /** The part of the link after `#token=`. */
  readonly token: string;
  /** The new password: 10 to 200 characters. It must not be the e-mail address. */
  readonly password: string;
}

/** A first code of the app. */
export interface ConfirmAuthenticatorBody {
  /** The code that the app shows now. */
  readonly code: string;
}

/** Proves who sends the next changes: the password, or a code of the authenticator app. */
export interface ConfirmationBody {
  /** The password. */
  readonly password?: string | undefined;
  /** A code of the authenticator app, for people without a password. */
  readonly code?: string | undefined;
}

/** The contact after the change. */
export interface ContactChanged {
  /** The request in the log that made the change. */
  readonly request_id: string;
  /** Parts that were left out because an attribute or list changed while the change waited. Nearly always empty. */
  readonly warnings: ReadonlyArray<{
    readonly code: string;
    /** The part of the change that was left out. */
    readonly field: string | null;
    readonly message: string;
  }>;
  readonly contact: ContactProfile;
}

/** The contacts of an account now and by day. */
export interface ContactGrowth {
  /** Time zone of the account, in which days begin. */
  readonly time_zone: string;
  /** First day. */
  readonly from: string;
  /** Last day. */
  readonly to: string;
  /** True while the numbers are computed again, for example because the account has a new time zone. Until then, they can be wrong. */
  readonly rebuilding: boolean;
  /** Contacts now. */
  readonly contacts: number;
  /** Contacts of each type now. */
  readonly types: {
    /** Anonymous contacts. */
    readonly anonymous: number;
    /** Identified contacts. */
    readonly identified: number;
    /** Unconfirmed contacts. */
    readonly unconfirmed: number;
    /** Confirmed contacts. */
    readonly confirmed: number;
    /** Blacklisted contacts. */
    readonly blacklisted: number;
  };
  /** Contacts that each channel reaches now. They have an e-mail address (`email`) or a mobile number (`sms`, `whatsapp`), have not opted out of the channel, and are not `blacklisted`. */
  readonly reach: {
    /** On e-mail. */
    readonly email: number;
    /** On SMS. */
    readonly sms: number;
    /** On WhatsApp. */
    readonly whatsapp: number;
  };
  /** Every day of the period, oldest first. */
  readonly days: ReadonlyArray<{
    /** The day, in the time zone of the account. */
    readonly day: string;
    /** Contacts that were created on this day. */
    readonly created: number;
    /** Contacts that were deleted on this day. */
    readonly deleted: number;
    /** Contacts that opted out on this day. */
    readonly opted_out: {
      /** On e-mail. */
      readonly email: number;
      /** On SMS. */
      readonly sms: number;
      /** On WhatsApp. */
      readonly whatsapp: number;
    };
    /** Contacts that opted in again on this day. */
    readonly opted_in: {
      /** On e-mail. */
      readonly email: number;
      /** On SMS. */
      readonly sms: number;
      /** On WhatsApp. */
      readonly whatsapp: number;
    };
    /** Contacts at the end of this day. */
    readonly contacts: number;
    /** Contacts of each type at the end of this day. */
    readonly types: {
      /** Anonymous contacts. */
      readonly anonymous: number;
      /** Identified contacts. */
      readonly identified: number;
      /** Unconfirmed contacts. */
      readonly unconfirmed: number;
      /** Confirmed contacts. */
      readonly confirmed: number;
      /** Blacklisted contacts. */
      readonly blacklisted: number;
    };
    /** Contacts that each channel reached at the end of this day. */
    readonly reach: {
      /** On e-mail. */
      readonly email: number;
      /** On SMS. */
      readonly sms: number;
      /** On WhatsApp. */
      readonly whatsapp: number;
    };
  }>;
}

/** `ContactGrowthQuery` of the interface; /docs of a running service describes it. */
export interface ContactGrowthQuery {
  /** First day, `YYYY-MM-DD`, in the time zone of the account. Default: 30 days that end with `to`. */
  readonly from?: string | undefined;
  /** Last day. Default: today. A period has at most 400 days. */
  readonly to?: string | undefined;
}

/** A contact with its audiences, opt-outs and lifecycle. */
export interface ContactProfile {
  readonly contact_id: number;
  /** Value of the primary key. Null for an anonymous contact. */
  readonly identity: string | null;
  /** E-mail address. */
  readonly email: string | null;
  /** Mobile number. */
  readonly mobile: string | null;
  /** All attributes of the account, also those without a value, in the order of creation. */
  readonly attributes: ReadonlyArray<{
    readonly attribute_id: number;
    readonly name: string;
    readonly data_type: 'text' | 'long_text' | 'number' | 'boolean' | 'date' | 'datetime';
    readonly data_masking: 'none' | 'partial' | 'full';
    /** The system attribute that it is mapped to. */
    readonly mapping: string | null;
    /** Null when the contact has no value. Masked if the caller must not see it. */
    readonly value: string | number | boolean | null;
  }>;
  /** The attributes that are computed from the activities of the contact. Empty if the account does not have them, or if you may not see activities. */
  readonly derived_attributes: ReadonlyArray<{
    readonly name: string;
    readonly data_type: 'number' | 'datetime';
    /** A number, a time, or null for a time without a value. */
    readonly value: number | string | null;
  }>;
  /** The lists of the contact. */
  readonly lists: ReadonlyArray<{
    readonly audience_id: number;
    readonly name: string;
  }>;
  /** The segments that the contact matches now. */
  readonly segments: ReadonlyArray<{
    readonly audience_id: number;
    readonly name: string;
  }>;
  /** Segments that cannot be evaluated, because they use something that was deleted. */
  readonly unusable_segments: ReadonlyArray<{
    readonly audience_id: number;
    readonly name: string;
  }>;
  readonly opt_outs: ReadonlyArray<{
    readonly channel: 'email' | 'sms' | 'whatsapp';
    /** True when nothing must be sent on the channel. */
    readonly opted_out: boolean;
    /** When the contact last opted out or in. Null when it never did, or it is unknown. */
    readonly since: string | null;
    /** The kind of the activity that opted the contact out. Null when a request did it. */
    readonly activity: 'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam' | null;
    /** The request that made the change. Null when there was none, or it is unknown. */
    readonly request_id: string | null;
  }>;
  readonly lifecycle: {
    readonly contact_type: 'anonymous' | 'identified' | 'unconfirmed' | 'confirmed' | 'blacklisted';
    /** The type to which an opt-in or an unblock returns the contact. */
    readonly type_before_blacklisting: 'anonymous' | 'identified' | 'unconfirmed' | 'confirmed' | 'blacklisted' | null;
    /** Since when the contact has its type. Null when it is unknown. */
    readonly since: string | null;
    /** `created`: from the start. `identity`: an anonymous contact got an identity. `verification`: the link of a sign-up was used. `opt-out`, `opt-in`: on the channel email. `block`, `unblock`: an operator did it. Null when it happened before Roster stored causes. */
    readonly cause: 'created' | 'identity' | 'verification' | 'opt-out' | 'opt-in' | 'block' | 'unblock' | null;
    /** The kind of the activity that opted the contact out. Null when a request did it. */
    readonly activity: 'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam' | null;
    /** The request that made the change. Null when there was none, or it is unknown. */
    readonly request_id: string | null;
  };
  /** Identities that the contact had before, oldest first. */
  readonly former_identities: ReadonlyArray<{
    readonly identity: string;
    /** When the contact got another identity. */
    readonly changed_at: string;
  }>;
  /** When the contact was created. */
  readonly created_at: string;
  /** When the contact last changed. Each change gives it another value. */
  readonly updated_at: string;
  /** The version of the contact. Send it as `If-Match` with a change. */
  readonly version: string;
}

/** Entries of the timeline, newest first. A page can have fewer entries than `limit`, even none. */
export interface ContactTimeline {
  readonly data: readonly TimelineEntry[];
  /** Cursor of the next page, or null on the last page. A page of long rows can have fewer rows than `limit` and still have a next page. */
  readonly next_cursor: string | null;
}

/** `ContactTimelineQuery` of the interface; /docs of a running service describes it. */
export interface ContactTimelineQuery {
  /** Rows on a page. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. The next page begins after its last row. */
  readonly cursor?: string | undefined;
  /** Only entries of these kinds, separated by commas. Default: all. The kinds are `created`, `request`, `activity`, `type_changed`, `identity_changed`, `opted_out`, `opted_in`. */
  readonly kinds?: string | undefined;
}

/** The type of the contact after the change. */
export interface ContactTypeAnswer {
  readonly contact_id: number;
  /** Type of the contact now. */
  readonly contact_type: 'anonymous' | 'identified' | 'unconfirmed' | 'confirmed' | 'blacklisted';
}

/** A new account. */
export interface CreateAccountBody {
  /** Name for people. It does not have to be unique. */
  readonly name: string;
  /** Attribute that identifies a contact: `EMAIL`, `MOBILE`, or the name of a custom text attribute. The attribute is created if it does not exist. */
  readonly primary_key?: string | undefined;
  /** IANA name of the time zone of the account. It defines when a day begins. */
  readonly time_zone?: string | undefined;
  /** Settings of an account. An absent setting has its default. */
  readonly settings?: {
    /** True: a create request with an existing identity is refused as a whole, with 400. Default: false. */
    readonly reject_existing_contacts?: boolean | undefined;
    /** True: contacts and activities of erased people fail with `contact_forgotten`. `DELETE …/contacts/{contact_id}?mode=erase` erases a person. Default: true. */
    readonly reject_forgotten_contacts?: boolean | undefined;
    /** True: an unknown attribute name in a contact creates the attribute, with the data type of its first value. Default: false. */
    readonly auto_create_attributes?: boolean | undefined;
    /** True: in exports, a cell that a spreadsheet would read as a formula gets an apostrophe in front. Such a cell begins with =, +, -, @, their full-width forms, a tab or a line break, also after apostrophes. Values of number attributes do not change. The file gets a last column `roster:formula_guard`, so that an import can remove the apostrophes. False: files have the exact values. Default: false. */
    readonly csv_formula_guard?: boolean | undefined;
    /** Requests a minute that one API key can send to one process. 0: no limit. Null: the setting of the service. Default: null. */
    readonly rate_limit?: number | null | undefined;
    /** Months for which activities are kept, in addition to the current month. Whole months (UTC) are deleted. Older activities are refused and no longer shown. Default: 25. */
    readonly activity_retention_months?: number | undefined;
    /** Batch add requests (v3) that the account can send in a day, from midnight to midnight in its time zone. 0: none. Default: 100000. */
    readonly daily_batch_limit?: number | undefined;
    /** 1: the requests of the account are applied one after the other, in the order of acceptance. 16: the contacts are divided by their identities into buckets, which up to 16 workers serve at the same time. Then the order of acceptance holds for each contact, but not from one contact to another. For accounts with many millions of contacts. Default: 1. */
    readonly buckets?: 1 | 16 | undefined;
    /** True: each change of a contact is written to the event feed, from which other systems read. Default: false. */
    readonly events?: boolean | undefined;
    /** Days for which events are kept. Default: 7. */
    readonly event_retention_days?: number | undefined;
    /** True: the service keeps derived attributes of contacts, such as the last open and an engagement score. They are computed from the activities. Default: false. */
    readonly derived_attributes?: boolean | undefined;
  } | undefined;
}

/** A new API key. */
export interface CreateApiKeyBody {
  /** Purpose of the key, for people. */
  readonly name: string;
  /** Rights of the key. Default: `contacts:read`, `contacts:write`, `attributes:read`, `attributes:write`, `export` and `activity:read`. */
  readonly scopes?: ReadonlyArray<'contacts:read' | 'contacts:write' | 'attributes:read' | 'attributes:write' | 'lists:read' | 'lists:write' | 'segments:read' | 'segments:write' | 'imports:read' | 'imports:write' | 'export' | 'exports:read' | 'activity:read' | 'activity:write' | 'events:read' | 'requests:read' | 'privacy:write' | 'unmasked'> | undefined;
  /** When the key stops working. Default: never. */
  readonly expires_at?: string | null | undefined;
}

/** New attributes. */
export interface CreateAttributesBody {
  readonly data: ReadonlyArray<{
    /** Begins with a letter and has up to 64 letters, digits and underscores. It is converted to upper case. */
    readonly name: string;
    /** Default: contact. */
    readonly entity_type?: 'contact' | undefined;
    /** Default: custom. */
    readonly category?: 'profile' | 'demographic' | 'location' | 'behaviour' | 'transaction' | 'preference' | 'custom' | undefined;
    /** `text`: up to 1,000 characters. `long_text`: up to 65,536 characters; it cannot be exported, and a search can only test whether it has a value. `number`: a finite double. `boolean`: true or false. `date`: `YYYY-MM-DD`. `datetime`: RFC 3339, stored in UTC. */
    readonly data_type: 'text' | 'long_text' | 'number' | 'boolean' | 'date' | 'datetime';
    /** Value for new contacts that have no value for the attribute. It must fit the data type. Null: no default. All default values of an account together can have up to 131,072 characters. */
    readonly default_value?: string | number | boolean | null | undefined;
    /** Name of a system attribute (FIRST_NAME, LAST_NAME, GENDER, BIRTH_DATE, CITY, STATE, COUNTRY, POSTAL_CODE, LANGUAGE, TIME_ZONE) of the same data type. Reading or writing that name then reads or writes this attribute. Only one attribute can be mapped to a system attribute. Null: no mapping. */
    readonly mapping?: string | null | undefined;
    /** How values are hidden from API keys without the scope `unmasked`. `none`: not hidden. `partial`: every character except the last four is `*`. A letter with its accents is one character. Values of up to eight characters are hidden completely. `full`: hidden completely. If two attributes are mapped, the mask that hides more applies. Default: none. */
    readonly data_masking?: 'none' | 'partial' | 'full' | undefined;
  }>;
}

/** Contacts, and one action for each of them. */
export interface CreateBulkChangeBody {
  /** Combines the groups. Required when there is more than one. */
  readonly filtering_criteria_operator?: 'and' | 'or' | undefined;
  /** Groups of conditions. Absent or empty: all contacts of the account. */
  readonly filtering_criteria?: ReadonlyArray<{
    /** Combines the conditions of the group. Default: `and`. */
    readonly condition_operator?: 'and' | 'or' | undefined;
    readonly condition_details: ReadonlyArray<{
      /** Name of a config field, an audience field or an attribute, in any letter case. `activity` for the activities of the contact. */
      readonly field: string;
      /** `equals`, `not_equals`, `equals_ignore_case`, `not_equals_ignore_case`, `contains`, `not_contains`, `starts_with`, `ends_with`, `greater_than`, `greater_than_or_equal`, `less_than`, `less_than_or_equal`, `between`, `in_last`, `not_in_last`, `in_next`, `anniversary`, `anniversary_in_next`, `is_null` or `is_not_null`. For the field `activity`: `at_least`, `at_most`, `exactly` or `never`. */
      readonly operation: string;
      /** Values to compare with. A single value can be sent without the array. For dates and date-times, also relative dates, such as `today`, `-30 days` or `this month`. For `in_last` and similar operations, a length of time, such as `30 days`. For the field `activity`, how often it happened, such as 1. */
      readonly value?: ReadonlyArray<string | number | boolean> | undefined;
      /** Optional. The service finds the category by the name of the field. */
      readonly field_category?: 'config' | 'audience' | 'attribute' | 'derived' | 'activity' | undefined;
      /** Only for the field `activity`. What happened: one of these. Default: anything, also `sent`. */
      readonly activity?: ReadonlyArray<'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam'> | undefined;
      /** Only for the field `activity`. On one of these channels. Default: on any. */
      readonly channel?: ReadonlyArray<'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push'> | undefined;
      /** Only for the field `activity`. With one of these messages. Default: with any. */
      readonly message_id?: readonly number[] | undefined;
      /** Only for the field `activity`. With a message of one of these names, instead of `message_id`. The name that the activity was recorded with counts, and the latest name of its message. */
      readonly message_name?: readonly string[] | undefined;
      /** Only for the field `activity`. When they happened. Default: at any time that the account keeps. */
      readonly when?: {
        /** `in_last`, `not_in_last`, `equals`, `less_than`, `less_than_or_equal`, `greater_than`, `greater_than_or_equal`, `between`. The same as for a date-time field. */
        readonly operation: string;
        /** A length of time, such as `30 days`, for `in_last` and `not_in_last`. For the other operations: dates, date-times or relative dates, such as `today`, `-30 days` or `last month`. */
        readonly value?: ReadonlyArray<string | number | boolean> | undefined;
      } | undefined;
    }>;
  }> | undefined;
  /** Only contacts of these audiences. Send it with `audience_id`. */
  readonly audience_type?: 'list' | 'segment' | undefined;
  /** Numbers of audiences. A contact in any of them matches. */
  readonly audience_id?: readonly number[] | undefined;
  /** Instead of a filter: the contacts. A repeated number counts once. */
  readonly contact_ids?: readonly number[] | undefined;
  /** Must be true if there is no filter, no audience and no `contact_ids`. Then all contacts change. */
  readonly all_contacts?: boolean | undefined;
  readonly action: {
    /** `add_to_list` and `remove_from_list` need `audience_id`. `set_attribute` needs `attribute` and `value`. `opt_out` and `opt_in` need `channels`. `delete` deletes the contacts. `erase` erases the people with all traces, and needs the permission `privacy:write`. */
    readonly type: 'add_to_list' | 'remove_from_list' | 'set_attribute' | 'opt_out' | 'opt_in' | 'delete' | 'erase';
    /** Number of the list. */
    readonly audience_id?: number | undefined;
    /** Name of an attribute. It must not be EMAIL, MOBILE or the primary key. */
    readonly attribute?: string | undefined;
    /** The new value. It must fit the data type. Null clears the value. */
    readonly value?: string | number | boolean | null | undefined;
    /** One or more channels. */
    readonly channels?: ReadonlyArray<'email' | 'sms' | 'whatsapp'> | undefined;
  };
  /** The number of contacts that a person has confirmed. For `delete` and `erase`, it must be exact. For other actions, it may differ by 1 percent. */
  readonly expected_count: number;
}

/** Contacts to create. An existing contact is updated. */
export interface CreateContactsBody {
  readonly data: {
    /** `identified`: each contact needs an `identity`. `anonymous`: each item is a new contact, and its `identity` is ignored. */
    readonly contact_type: 'identified' | 'anonymous';
    readonly contacts: ReadonlyArray<{
      /** Value of the account's primary key: 1 to 255 characters after trimming. A number is converted to its decimal text. With the primary key EMAIL or MOBILE, it also fills `email` or `mobile`. If both are sent and differ, the contact fails with `identity_mismatch`. */
      readonly identity?: string | number | undefined;
      /** E-mail address. Null clears it. */
      readonly email?: string | null | undefined;
      /** Mobile number with the country code: 6 to 15 digits, as text or as a number. A leading +, spaces and dashes are removed. Null clears it. */
      readonly mobile?: string | number | null | undefined;
      /** Attribute names and their values. They merge name by name into the contact. Null clears a value. A value that does not fit the data type is left out. So is a value of an unknown attribute. A value of more than 1,000 characters is left out if the contact would exceed 1,048,576 characters in total. EMAIL and MOBILE are refused here, because they are fields of the contact. */
      readonly attributes?: { readonly [name: string]: string | number | boolean | null } | undefined;
      /** Lists to add the contact to. */
      readonly audience_details?: ReadonlyArray<{
        /** One or more numbers of lists. A single number can be sent without the array. */
        readonly audience_id: readonly number[];
        readonly audience_type?: 'list' | undefined;
        /** Default: add. */
        readonly action?: 'add' | undefined;
      }> | undefined;
      /** For each channel: false opts the contact out, true opts it in again. `email: false` makes the contact `blacklisted`. `email: true` restores the type that a blacklisted contact had before. */
      readonly subscriptions?: {
        readonly email?: boolean | undefined;
        readonly sms?: boolean | undefined;
        readonly whatsapp?: boolean | undefined;
      } | undefined;
    }>;
  };
}

/** A receiver that gets the events of an account. */
export interface CreateEventSubscriptionBody {
  /** Name for people. */
  readonly name: string;
  /** HTTPS URL of the receiver. An operator can allow plain HTTP and internal addresses. */
  readonly url: string;
  /** Only events of these kinds. */
  readonly kinds?: ReadonlyArray<'contact.created' | 'contact.updated' | 'contact.deleted' | 'contact.erased' | 'contact.opted_out' | 'contact.opted_in' | 'contact.confirmed' | 'contact.blacklisted' | 'contact.unblacklisted' | 'contact.joined_list' | 'contact.left_list' | 'contact.entered_segment' | 'contact.left_segment' | 'segment.stopped' | 'list.deleted' | 'attribute.deleted' | 'import.completed' | 'import.failed' | 'import.cancelled' | 'export.completed' | 'export.failed' | 'export.cancelled' | 'events.stopped' | 'events.started'> | undefined;
  /** A filter of contact search. An event is sent only if its contact matches when it is sent. `contact.deleted`, `contact.erased` and events without a contact are always sent. */
  readonly filter?: {
    /** Combines the groups. Required when there is more than one. */
    readonly filtering_criteria_operator?: 'and' | 'or' | undefined;
    /** Groups of conditions. Absent or empty: all contacts of the account. */
    readonly filtering_criteria?: ReadonlyArray<{
      /** Combines the conditions of the group. Default: `and`. */
      readonly condition_operator?: 'and' | 'or' | undefined;
      readonly condition_details: ReadonlyArray<{
        /** Name of a config field, an audience field or an attribute, in any letter case. `activity` for the activities of the contact. */
        readonly field: string;
        /** `equals`, `not_equals`, `equals_ignore_case`, `not_equals_ignore_case`, `contains`, `not_contains`, `starts_with`, `ends_with`, `greater_than`, `greater_than_or_equal`, `less_than`, `less_than_or_equal`, `between`, `in_last`, `not_in_last`, `in_next`, `anniversary`, `anniversary_in_next`, `is_null` or `is_not_null`. For the field `activity`: `at_least`, `at_most`, `exactly` or `never`. */
        readonly operation: string;
        /** Values to compare with. A single value can be sent without the array. For dates and date-times, also relative dates, such as `today`, `-30 days` or `this month`. For `in_last` and similar operations, a length of time, such as `30 days`. For the field `activity`, how often it happened, such as 1. */
        readonly value?: ReadonlyArray<string | number | boolean> | undefined;
        /** Optional. The service finds the category by the name of the field. */
        readonly field_category?: 'config' | 'audience' | 'attribute' | 'derived' | 'activity' | undefined;
        /** Only for the field `activity`. What happened: one of these. Default: anything, also `sent`. */
        readonly activity?: ReadonlyArray<'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam'> | undefined;
        /** Only for the field `activity`. On one of these channels. Default: on any. */
        readonly channel?: ReadonlyArray<'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push'> | undefined;
        /** Only for the field `activity`. With one of these messages. Default: with any. */
        readonly message_id?: readonly number[] | undefined;
        /** Only for the field `activity`. With a message of one of these names, instead of `message_id`. The name that the activity was recorded with counts, and the latest name of its message. */
        readonly message_name?: readonly string[] | undefined;
        /** Only for the field `activity`. When they happened. Default: at any time that the account keeps. */
        readonly when?: {
          /** `in_last`, `not_in_last`, `equals`, `less_than`, `less_than_or_equal`, `greater_than`, `greater_than_or_equal`, `between`. The same as for a date-time field. */
          readonly operation: string;
          /** A length of time, such as `30 days`, for `in_last` and `not_in_last`. For the other operations: dates, date-times or relative dates, such as `today`, `-30 days` or `last month`. */
          readonly value?: ReadonlyArray<string | number | boolean> | undefined;
        } | undefined;
      }>;
    }> | undefined;
  } | undefined;
  /** Fields, attributes and derived attributes of the contact that each event has in `contact`, with their values when it is sent. Derived attributes need the permission `activity:read`. Default: none. */
  readonly fields?: readonly string[] | undefined;
  /** True: `contact` has unmasked values. The caller needs the permission `unmasked`. Default: false. */
  readonly unmasked?: boolean | undefined;
  /** Headers of each delivery. No answer shows their values, because they can be secrets. */
  readonly headers?: ReadonlyArray<{
    readonly name: string;
    readonly value: string;
  }> | undefined;
  /** Maximum number of events in a delivery. Default: 250. */
  readonly max_events?: number | undefined;
  /** What happens after the last attempt of a delivery. `pause`: the subscription is paused, and nothing is sent out of order. `continue`: the delivery becomes a dead letter, and the later events are sent. Default: pause. */
  readonly when_failed?: 'pause' | 'continue' | undefined;
  /** The first event is the one after this position. Default: the next event that happens. */
  readonly after?: number | undefined;
}

/** Contacts to export to a file: those of an audience, or those that match a filter. */
export interface CreateExportBody {
  /** Together with `audience_id`, and without `filter`. */
  readonly audience_type?: 'list' | 'segment' | undefined;
  /** Number of the list or segment. */
  readonly audience_id?: number | undefined;
  /** A filter of contact search, instead of an audience. `{}` selects all contacts. */
  readonly filter?: {
    /** Combines the groups. Required when there is more than one. */
    readonly filtering_criteria_operator?: 'and' | 'or' | undefined;
    /** Groups of conditions. Absent or empty: all contacts of the account. */
    readonly filtering_criteria?: ReadonlyArray<{
      /** Combines the conditions of the group. Default: `and`. */
      readonly condition_operator?: 'and' | 'or' | undefined;
      readonly condition_details: ReadonlyArray<{
        /** Name of a config field, an audience field or an attribute, in any letter case. `activity` for the activities of the contact. */
        readonly field: string;
        /** `equals`, `not_equals`, `equals_ignore_case`, `not_equals_ignore_case`, `contains`, `not_contains`, `starts_with`, `ends_with`, `greater_than`, `greater_than_or_equal`, `less_than`, `less_than_or_equal`, `between`, `in_last`, `not_in_last`, `in_next`, `anniversary`, `anniversary_in_next`, `is_null` or `is_not_null`. For the field `activity`: `at_least`, `at_most`, `exactly` or `never`. */
        readonly operation: string;
        /** Values to compare with. A single value can be sent without the array. For dates and date-times, also relative dates, such as `today`, `-30 days` or `this month`. For `in_last` and similar operations, a length of time, such as `30 days`. For the field `activity`, how often it happened, such as 1. */
        readonly value?: ReadonlyArray<string | number | boolean> | undefined;
        /** Optional. The service finds the category by the name of the field. */
        readonly field_category?: 'config' | 'audience' | 'attribute' | 'derived' | 'activity' | undefined;
        /** Only for the field `activity`. What happened: one of these. Default: anything, also `sent`. */
        readonly activity?: ReadonlyArray<'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam'> | undefined;
        /** Only for the field `activity`. On one of these channels. Default: on any. */
        readonly channel?: ReadonlyArray<'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push'> | undefined;
        /** Only for the field `activity`. With one of these messages. Default: with any. */
        readonly message_id?: readonly number[] | undefined;
        /** Only for the field `activity`. With a message of one of these names, instead of `message_id`. The name that the activity was recorded with counts, and the latest name of its message. */
        readonly message_name?: readonly string[] | undefined;
        /** Only for the field `activity`. When they happened. Default: at any time that the account keeps. */
        readonly when?: {
          /** `in_last`, `not_in_last`, `equals`, `less_than`, `less_than_or_equal`, `greater_than`, `greater_than_or_equal`, `between`. The same as for a date-time field. */
          readonly operation: string;
          /** A length of time, such as `30 days`, for `in_last` and `not_in_last`. For the other operations: dates, date-times or relative dates, such as `today`, `-30 days` or `last month`. */
          readonly value?: ReadonlyArray<string | number | boolean> | undefined;
        } | undefined;
      }>;
    }> | undefined;
  } | undefined;
  /** Columns of the file, in this order and with these names. A column is an attribute of the account, the primary key, `EMAIL`, `MOBILE`, `CONTACT_ID`, `CONTACT_TYPE`, `IDENTITY`, `CREATED_AT`, `UPDATED_AT`, `EMAIL_OPTED_OUT`, `SMS_OPTED_OUT` or `WHATSAPP_OPTED_OUT`. Mappings apply. A repeated name, in any letter case, is one column at its first place. Default: the primary key, `EMAIL`, `MOBILE`. */
  readonly attributes?: readonly string[] | undefined;
  /** Leaves out contacts that opted out. `email`: contacts that opted out of e-mail. `mobile`: contacts that opted out of SMS or WhatsApp. Both also leave out contacts that were blacklisted without an opt-out. Absent: no contact is left out. */
  readonly blocklist_type?: 'email' | 'mobile' | undefined;
  /** True: the file has the values of masked attributes. The caller needs the permission `unmasked`. Default: false. */
  readonly unmasked?: boolean | undefined;
  /** `gzip`: the file is a `.csv.gz`. Default: none. */
  readonly compression?: 'none' | 'gzip' | undefined;
  /** E-mail address that gets a mail when the export has ended. */
  readonly notify_email?: string | undefined;
  /** The callback that is sent when the export has ended. */
  readonly callback?: {
    /** Default: POST. */
    readonly method?: 'POST' | 'PUT' | 'PATCH' | 'GET' | undefined;
    /** HTTPS URL. An operator can allow plain HTTP and internal addresses. */
    readonly url: string;
    /** Headers of the callback. No answer shows them, because they can be secrets. */
    readonly headers?: ReadonlyArray<{
      readonly name: string;
      readonly value: string;
    }> | undefined;
    /** Any object. The callback sends it back as `callbackBody`. Default: `{}`. */
    readonly body?: { readonly [name: string]: unknown } | undefined;
  } | undefined;
}

/** An export that runs at regular times. */
export interface CreateExportScheduleBody {
  /** Name for people. */
  readonly name: string;
  /** Together with `audience_id`, and without `filter`. */
  readonly audience_type?: 'list' | 'segment' | undefined;
  /** Number of the list or segment. */
  readonly audience_id?: number | undefined;
  /** A filter of contact search, instead of an audience. `{}` selects all contacts. */
  readonly filter?: {
    /** Combines the groups. Required when there is more than one. */
    readonly filtering_criteria_operator?: 'and' | 'or' | undefined;
    /** Groups of conditions. Absent or empty: all contacts of the account. */
    readonly filtering_criteria?: ReadonlyArray<{
      /** Combines the conditions of the group. Default: `and`. */
      readonly condition_operator?: 'and' | 'or' | undefined;
      readonly condition_details: ReadonlyArray<{
        /** Name of a config field, an audience field or an attribute, in any letter case. `activity` for the activities of the contact. */
        readonly field: string;
        /** `equals`, `not_equals`, `equals_ignore_case`, `not_equals_ignore_case`, `contains`, `not_contains`, `starts_with`, `ends_with`, `greater_than`, `greater_than_or_equal`, `less_than`, `less_than_or_equal`, `between`, `in_last`, `not_in_last`, `in_next`, `anniversary`, `anniversary_in_next`, `is_null` or `is_not_null`. For the field `activity`: `at_least`, `at_most`, `exactly` or `never`. */
        readonly operation: string;
        /** Values to compare with. A single value can be sent without the array. For dates and date-times, also relative dates, such as `today`, `-30 days` or `this month`. For `in_last` and similar operations, a length of time, such as `30 days`. For the field `activity`, how often it happened, such as 1. */
        readonly value?: ReadonlyArray<string | number | boolean> | undefined;
        /** Optional. The service finds the category by the name of the field. */
        readonly field_category?: 'config' | 'audience' | 'attribute' | 'derived' | 'activity' | undefined;
        /** Only for the field `activity`. What happened: one of these. Default: anything, also `sent`. */
        readonly activity?: ReadonlyArray<'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam'> | undefined;
        /** Only for the field `activity`. On one of these channels. Default: on any. */
        readonly channel?: ReadonlyArray<'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push'> | undefined;
        /** Only for the field `activity`. With one of these messages. Default: with any. */
        readonly message_id?: readonly number[] | undefined;
        /** Only for the field `activity`. With a message of one of these names, instead of `message_id`. The name that the activity was recorded with counts, and the latest name of its message. */
        readonly message_name?: readonly string[] | undefined;
        /** Only for the field `activity`. When they happened. Default: at any time that the account keeps. */
        readonly when?: {
          /** `in_last`, `not_in_last`, `equals`, `less_than`, `less_than_or_equal`, `greater_than`, `greater_than_or_equal`, `between`. The same as for a date-time field. */
          readonly operation: string;
          /** A length of time, such as `30 days`, for `in_last` and `not_in_last`. For the other operations: dates, date-times or relative dates, such as `today`, `-30 days` or `last month`. */
          readonly value?: ReadonlyArray<string | number | boolean> | undefined;
        } | undefined;
      }>;
    }> | undefined;
  } | undefined;
  /** Columns of the file, in this order and with these names. A column is an attribute of the account, the primary key, `EMAIL`, `MOBILE`, `CONTACT_ID`, `CONTACT_TYPE`, `IDENTITY`, `CREATED_AT`, `UPDATED_AT`, `EMAIL_OPTED_OUT`, `SMS_OPTED_OUT` or `WHATSAPP_OPTED_OUT`. Mappings apply. A repeated name, in any letter case, is one column at its first place. Default: the primary key, `EMAIL`, `MOBILE`. */
  readonly attributes?: readonly string[] | undefined;
  /** Leaves out contacts that opted out. `email`: contacts that opted out of e-mail. `mobile`: contacts that opted out of SMS or WhatsApp. Both also leave out contacts that were blacklisted without an opt-out. Absent: no contact is left out. */
  readonly blocklist_type?: 'email' | 'mobile' | undefined;
  /** True: the file has the values of masked attributes. The caller needs the permission `unmasked`. Default: false. */
  readonly unmasked?: boolean | undefined;
  /** `gzip`: the file is a `.csv.gz`. Default: none. */
  readonly compression?: 'none' | 'gzip' | undefined;
  /** E-mail address that gets a mail when the export has ended. */
  readonly notify_email?: string | undefined;
  /** The callback that is sent when the export has ended. */
  readonly callback?: {
    /** Default: POST. */
    readonly method?: 'POST' | 'PUT' | 'PATCH' | 'GET' | undefined;
    /** HTTPS URL. An operator can allow plain HTTP and internal addresses. */
    readonly url: string;
    /** Headers of the callback. No answer shows them, because they can be secrets. */
    readonly headers?: ReadonlyArray<{
      readonly name: string;
      readonly value: string;
    }> | undefined;
    /** Any object. The callback sends it back as `callbackBody`. Default: `{}`. */
    readonly body?: { readonly [name: string]: unknown } | undefined;
  } | undefined;
  /** When a schedule runs. */
  readonly timing: {
    /** `day`: at `at`. `week`: on `weekdays` at `at`. `month`: on the day `day` at `at`. `cron`: at the times of the expression `cron`. */
    readonly every: 'day' | 'week' | 'month' | 'cron';
    /** Time of the day, `HH:MM`, in the time zone of the account. A time that a clock change skips is moved to the first moment after it. A time that a clock change repeats counts once. Required unless `every` is `cron`. */
    readonly at?: string | undefined;
    /** Required if `every` is `week`. */
    readonly weekdays?: ReadonlyArray<'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'> | undefined;
    /** Day of the month. In a shorter month, the last day. Required if `every` is `month`. */
    readonly day?: number | undefined;
    /** Five fields (minute, hour, day, month, weekday) in the time zone of the account. Required if `every` is `cron`. */
    readonly cron?: string | undefined;
  };
  /** A place in S3 that gets the files. */
  readonly place?: {
    /** HTTPS address of S3 or of a compatible server. It must not lead to a private address, unless an operator allows the host with `ROSTER_CALLBACK_ALLOW`. */
    readonly endpoint: string;
    /** Default: us-east-1. */
    readonly region?: string | undefined;
    readonly bucket: string;
    /** Beginning of the names of the files, such as `roster/`. Default: none. */
    readonly prefix?: string | undefined;
    readonly key_id: string;
    /** The secret of the key. No answer shows it. Required, except in a change that keeps endpoint, bucket and key. */
    readonly secret?: string | undefined;
  } | undefined;
  /** Number of newest files that are kept. Older files are deleted. Files in S3 stay. Default: 7. */
  readonly keep_files?: number | undefined;
  /** True: the schedule does not run. Default: false. */
  readonly paused?: boolean | undefined;
}

/** How to import a file. The file itself is sent afterwards, or fetched from `source_url`. */
export interface CreateImportBody {
  /** Name of the file, for people. Default with `source_url`: the last part of its path. */
  readonly file_name?: string | undefined;
  /** URL of the file. Roster fetches it, so you do not send it. It must begin with `https://` and must not lead to a private address, unless an operator allows the host with `ROSTER_CALLBACK_ALLOW`. Up to five redirects are followed. The query of the URL can be secret: no answer, message or log contains it. */
  readonly source_url?: string | undefined;
  /** E-mail address that gets a mail with the counts and the first failures when the import has ended. Absent or blank: no mail is sent. */
  readonly notify_email?: string | undefined;
  /** Default: detected from the file. */
  readonly format?: 'csv' | 'ndjson' | undefined;
  /** Default: UTF-8, or UTF-16 with a byte order mark. Name any other encoding here. Windows-1252 cannot be detected, because similar encodings look the same. */
  readonly encoding?: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | undefined;
  /** Character that separates the cells of a row. Default: detected from the first lines. */
  readonly delimiter?: ',' | ';' | '|' | 'tab' | '	' | undefined;
  /** `upsert`: each row creates a contact, or is merged into the contact with the same identity. `create`: a row fails if its contact exists, or if it repeats an earlier row. `update`: a row fails if its contact does not exist. Default: upsert. */
  readonly mode?: 'upsert' | 'create' | 'update' | undefined;
  /** `leave`: an empty cell changes nothing. `clear`: an empty cell clears the value. A cell `""` is an empty text for a text attribute. For other fields, it is an empty cell. Default: leave. */
  readonly blank_cells?: 'leave' | 'clear' | undefined;
  /** The formula guard of exports puts an apostrophe before `=`, `+`, `-`, `@` and similar characters in CSV. `auto`: the apostrophe is removed if the file has the column `roster:formula_guard`. `remove`: it is always removed. `keep`: every cell stays as it is. Default: auto. */
  readonly formula_guard?: 'auto' | 'remove' | 'keep' | undefined;
  /** Lists that the contact of each row is added to. */
  readonly audience_ids?: readonly number[] | undefined;
  /** Meaning of columns, by their headers. `"CITY"` or `{"field": "CITY"}` names a field (`IDENTITY`, `CONTACT_ID`, `EMAIL`, `MOBILE`, `CREATED_AT`, …) or an attribute. An object can have more options. Null or `{"skip": true}` leaves the column out. All other columns are found by their names. */
  readonly columns?: { readonly [name: string]: string | null | {
    /** Field (`IDENTITY`, `CONTACT_ID`, `EMAIL`, `MOBILE`, `CREATED_AT`, `EMAIL_OPTED_OUT`, …) or attribute. `CREATED_AT` is the sign-up date. It is stored when a contact is created, and never changes. */
    readonly field: string;
    /** If the account has no such attribute, the import creates it with this data type. An attribute that exists must have this data type. */
    readonly data_type?: 'text' | 'long_text' | 'number' | 'boolean' | 'date' | 'datetime' | undefined;
    /** For dates: `ymd` (2024-01-31, 2024-01-31 09:00:00), `mdy` (1/31/2024 2:05 PM), `dmy` (31.01.2024 14:05), `unix` (seconds or milliseconds). Without it, `CREATED_AT` is read as `ymd`, and attributes as in contact create. */
    readonly date_format?: 'ymd' | 'mdy' | 'dmy' | 'unix' | undefined;
    /** Time zone of dates without an offset. Default: UTC. Used with `date_format` or `CREATED_AT`. */
    readonly time_zone?: string | undefined;
    /** For numbers: `comma` (1.234,50) or `point` (1,234.50). Thousands can also be separated by blanks or apostrophes. Without it, numbers are read as in contact create (1234.50). */
    readonly number_format?: 'comma' | 'point' | undefined;
    /** For opt-outs: what each value does, in any letter case. Without it, usual words are known, such as `unsubscribed` and `subscribed`. No value opts a contact in again. */
    readonly values?: { readonly [name: string]: 'opt_out' | 'nothing' } | undefined;
    /** For opt-outs: what a value does that `values` does not name. Default: `fail`, the row fails. */
    readonly other_values?: 'fail' | 'opt_out' | 'nothing' | undefined;
  } | {
    /** True: each cell has the names of lists. The contact is added to them. Lists that do not exist are created. */
    readonly list_names: true;
    /** Text between the names. Default: a comma. */
    readonly separator?: string | undefined;
  } | {
    /** True: each cell is a JSON object. Its keys are treated like columns of the file. */
    readonly json: true;
  } | {
    /** True: the column is left out. */
    readonly skip: true;
  } } | undefined;
  /** The program that wrote the file. Its columns get their usual meaning. `columns` takes precedence. docs/moving-in explains the presets. */
  readonly preset?: 'mailchimp' | 'sendgrid' | 'sendgrid_suppressions' | 'hubspot' | 'listmonk' | 'klaviyo' | 'klaviyo_suppressions' | 'spreadsheet' | undefined;
  /** Channels that every contact of the file is opted out of. Use it for files with only unsubscribed people. */
  readonly opt_out?: ReadonlyArray<'email' | 'sms' | 'whatsapp'> | undefined;
  /** An earlier import of the account. `mode`, `blank_cells`, `audience_ids`, `columns`, `preset`, `opt_out` and `unknown_columns` are copied from it, unless the body has them. Encoding, delimiter, `formula_guard`, `source_url`, `notify_email` and `dry_run` are not copied, because they belong to the file. */
  readonly mapping_of?: string | undefined;
  /** Columns that match no field or attribute. `refuse`: the import fails before it writes anything, and names the columns. `skip`: the columns are left out. `create`: each column becomes an attribute, with the narrowest data type that fits all its cells. Default: refuse. */
  readonly unknown_columns?: 'refuse' | 'skip' | 'create' | undefined;
  /** True: everything is checked and counted, but nothing is written. Default: false. */
  readonly dry_run?: boolean | undefined;
}

/** An invitation to an account. */
export interface CreateInvitationBody {
  /** Address of the person. */
  readonly email: string;
  /** Role in the account. */
  readonly role: 'owner' | 'admin' | 'editor' | 'viewer' | 'privacy';
  /** True: the person sees the values of masked attributes. */
  readonly unmasked?: boolean | undefined;
}

/** A new list. */
export interface CreateListBody {
  /** Name for people. It does not have to be unique. */
  readonly name: string;
}

/** A new personal access token. */
export interface CreatePersonalTokenBody {
  /** Purpose of the token. */
  readonly name: string;
  /** When the token stops working. Default: never. */
  readonly expires_at?: string | null | undefined;
  /** The token works only in these accounts. Null: in all accounts of the person. Default: null. */
  readonly account_ids?: readonly number[] | null | undefined;
}

/** A page of the console with a name. */
export interface CreateSavedViewBody {
  /** Name for people. It does not have to be unique. */
  readonly name: string;
  /** The page of the console, in lower-case letters. */
  readonly page: string;
  /** The state of the page, as in its address. Callers without the permission `unmasked` see `****` instead of the values of conditions on masked fields. At most 16384 bytes of JSON. */
  readonly state: { readonly [name: string]: unknown };
  /** True: everyone in the account sees the view. Needs the permission `segments:write`. Required for callers that are not people. Default: false. */
  readonly shared?: boolean | undefined;
}

/** A new segment: a name and a filter. */
export interface CreateSegmentBody {
  /** Name for people. It does not have to be unique. */
  readonly name: string;
  /** Combines the groups. Required when there is more than one. */
  readonly filtering_criteria_operator?: 'and' | 'or' | undefined;
  /** Groups of conditions. Absent or empty: all contacts of the account. */
  readonly filtering_criteria: ReadonlyArray<{
    /** Combines the conditions of the group. Default: `and`. */
    readonly condition_operator?: 'and' | 'or' | undefined;
    readonly condition_details: ReadonlyArray<{
      /** Name of a config field, an audience field or an attribute, in any letter case. `activity` for the activities of the contact. */
      readonly field: string;
      /** `equals`, `not_equals`, `equals_ignore_case`, `not_equals_ignore_case`, `contains`, `not_contains`, `starts_with`, `ends_with`, `greater_than`, `greater_than_or_equal`, `less_than`, `less_than_or_equal`, `between`, `in_last`, `not_in_last`, `in_next`, `anniversary`, `anniversary_in_next`, `is_null` or `is_not_null`. For the field `activity`: `at_least`, `at_most`, `exactly` or `never`. */
      readonly operation: string;
      /** Values to compare with. A single value can be sent without the array. For dates and date-times, also relative dates, such as `today`, `-30 days` or `this month`. For `in_last` and similar operations, a length of time, such as `30 days`. For the field `activity`, how often it happened, such as 1. */
      readonly value?: ReadonlyArray<string | number | boolean> | undefined;
      /** Optional. The service finds the category by the name of the field. */
      readonly field_category?: 'config' | 'audience' | 'attribute' | 'derived' | 'activity' | undefined;
      /** Only for the field `activity`. What happened: one of these. Default: anything, also `sent`. */
      readonly activity?: ReadonlyArray<'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam'> | undefined;
      /** Only for the field `activity`. On one of these channels. Default: on any. */
      readonly channel?: ReadonlyArray<'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push'> | undefined;
      /** Only for the field `activity`. With one of these messages. Default: with any. */
      readonly message_id?: readonly number[] | undefined;
      /** Only for the field `activity`. With a message of one of these names, instead of `message_id`. The name that the activity was recorded with counts, and the latest name of its message. */
      readonly message_name?: readonly string[] | undefined;
      /** Only for the field `activity`. When they happened. Default: at any time that the account keeps. */
      readonly when?: {
        /** `in_last`, `not_in_last`, `equals`, `less_than`, `less_than_or_equal`, `greater_than`, `greater_than_or_equal`, `between`. The same as for a date-time field. */
        readonly operation: string;
        /** A length of time, such as `30 days`, for `in_last` and `not_in_last`. For the other operations: dates, date-times or relative dates, such as `today`, `-30 days` or `last month`. */
        readonly value?: ReadonlyArray<string | number | boolean> | undefined;
      } | undefined;
    }>;
  }>;
  /** True: the members are stored, follow every change within seconds, and their entries and departures are recorded. An account can have up to 20 live segments. */
  readonly live?: boolean | undefined;
}

/** A contact who signs up. `identity` is required unless the primary key of the account is `EMAIL` or `MOBILE`. */
export interface CreateSignUpBody {
  /** E-mail address that gets the link. */
  readonly email: string;
  /** Value of the account's primary key: 1 to 255 characters after trimming. A number is converted to its decimal text. With the primary key EMAIL or MOBILE, it also fills `email` or `mobile`. If both are sent and differ, the contact fails with `identity_mismatch`. */
  readonly identity?: string | number | undefined;
  /** Mobile number with the country code: 6 to 15 digits, as text or as a number. A leading +, spaces and dashes are removed. Null clears it. */
  readonly mobile?: string | number | null | undefined;
  /** Attribute names and their values. They merge name by name into the contact. Null clears a value. A value that does not fit the data type is left out. So is a value of an unknown attribute. A value of more than 1,000 characters is left out if the contact would exceed 1,048,576 characters in total. EMAIL and MOBILE are refused here, because they are fields of the contact. */
  readonly attributes?: { readonly [name: string]: string | number | boolean | null } | undefined;
  /** Lists to add the contact to. */
  readonly audience_details?: ReadonlyArray<{
    /** One or more numbers of lists. A single number can be sent without the array. */
    readonly audience_id: readonly number[];
    readonly audience_type?: 'list' | undefined;
    /** Default: add. */
    readonly action?: 'add' | undefined;
  }> | undefined;
}

/** A new account with its first API key, which is shown only here. */
export interface CreatedAccount {
  readonly account_id: number;
  /** Name for people. It does not have to be unique. */
  readonly name: string;
  /** Attribute that identifies a contact: `EMAIL`, `MOBILE`, or the name of a custom text attribute. The attribute is created if it does not exist. */
  readonly primary_key: string;
  /** IANA name of the time zone of the account. It defines when a day begins. */
  readonly time_zone: string;
  readonly settings: {
    /** True: a create request with an existing identity is refused as a whole, with 400. Default: false. */
    readonly reject_existing_contacts: boolean;
    /** True: contacts and activities of erased people fail with `contact_forgotten`. `DELETE …/contacts/{contact_id}?mode=erase` erases a person. Default: true. */
    readonly reject_forgotten_contacts: boolean;
    /** True: an unknown attribute name in a contact creates the attribute, with the data type of its first value. Default: false. */
    readonly auto_create_attributes: boolean;
    /** True: in exports, a cell that a spreadsheet would read as a formula gets an apostrophe in front. Such a cell begins with =, +, -, @, their full-width forms, a tab or a line break, also after apostrophes. Values of number attributes do not change. The file gets a last column `roster:formula_guard`, so that an import can remove the apostrophes. False: files have the exact values. Default: false. */
    readonly csv_formula_guard: boolean;
    /** Requests a minute that one API key can send to one process. 0: no limit. Null: the setting of the service. Default: null. */
    readonly rate_limit: number | null;
    /** Months for which activities are kept, in addition to the current month. Whole months (UTC) are deleted. Older activities are refused and no longer shown. Default: 25. */
    readonly activity_retention_months: number;
    /** Batch add requests (v3) that the account can send in a day, from midnight to midnight in its time zone. 0: none. Default: 100000. */
    readonly daily_batch_limit: number;
    /** 1: the requests of the account are applied one after the other, in the order of acceptance. 16: the contacts are divided by their identities into buckets, which up to 16 workers serve at the same time. Then the order of acceptance holds for each contact, but not from one contact to another. For accounts with many millions of contacts. Default: 1. */
    readonly buckets: 1 | 16;
    /** True: each change of a contact is written to the event feed, from which other systems read. Default: false. */
    readonly events: boolean;
    /** Days for which events are kept. Default: 7. */
    readonly event_retention_days: number;
    /** True: the service keeps derived attributes of contacts, such as the last open and an engagement score. They are computed from the activities. Default: false. */
    readonly derived_attributes: boolean;
  };
  /** When the account was created. */
  readonly created_at: string;
  /** When the account was changed last. */
  readonly updated_at: string;
  readonly api_key_id: number;
  /** The first API key of the account. It is shown only in this answer. */
  readonly api_key: string;
}

/** A new API key with its secret, which is shown only here. */
export interface CreatedApiKey {
  readonly api_key_id: number;
  readonly name: string;
  /** The first characters of the key. */
  readonly key_hint: string;
  readonly scopes: ReadonlyArray<'contacts:read' | 'contacts:write' | 'attributes:read' | 'attributes:write' | 'lists:read' | 'lists:write' | 'segments:read' | 'segments:write' | 'imports:read' | 'imports:write' | 'export' | 'exports:read' | 'activity:read' | 'activity:write' | 'events:read' | 'requests:read' | 'privacy:write' | 'unmasked'>;
  readonly status: 'active' | 'expired' | 'revoked';
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
  /** When the key was created. */
  readonly created_at: string;
  /** The API key. It is shown only in this answer. */
  readonly api_key: string;
}

/** A new subscription with its signing secret. */
export interface CreatedEventSubscription {
  readonly subscription_id: string;
  /** Name for people. */
  readonly name: string;
  /** HTTPS URL of the receiver. An operator can allow plain HTTP and internal addresses. */
  readonly url: string;
  /** Names of the headers. */
  readonly header_names: readonly string[];
  /** Kinds of events. Null: all kinds, also those of later versions. */
  readonly kinds: readonly string[] | null;
  /** The filter, with the current names of the attributes. Null: no filter. */
  readonly filter: ExportFilter | null;
  readonly fields: readonly string[];
  readonly unmasked: boolean;
  /** Maximum number of events in a delivery. Default: 250. */
  readonly max_events: number;
  /** What happens after the last attempt of a delivery. `pause`: the subscription is paused, and nothing is sent out of order. `continue`: the delivery becomes a dead letter, and the later events are sent. Default: pause. */
  readonly when_failed: 'pause' | 'continue';
  readonly status: 'active' | 'paused';
  /** Why and since when it is paused. Null while it is active. */
  readonly pause: {
    readonly reason: 'by_hand' | 'retries_ended' | 'receiver_gone' | 'events_expired' | 'author_rights' | 'filter_invalid';
    readonly message: string;
    readonly since: string;
  } | null;
  /** Events up to this position were delivered, left out, or given up. */
  readonly position: number;
  /** Position of the newest event of the account. */
  readonly last_position: number;
  /** How far the subscription is behind. */
  readonly lag: {
    /** Number of events after `position`, of all kinds. */
    readonly events: number;
    /** Age of the oldest of them. 0 without any. */
    readonly seconds: number;
  };
  /** The delivery that is sent now, or waits for its next attempt. */
  readonly pending: EventDelivery | null;
  /** Number of failed deliveries. */
  readonly dead_letters: number;
  /** When the signing secret was created. */
  readonly secret_created_at: string;
  /** When the previous signing secret stops signing. Null without any. */
  readonly previous_secret_expires_at: string | null;
  /** Who created or changed it last, as in the audit log. Events are sent only while this author may manage callbacks, and may see unmasked values if the subscription needs them. */
  readonly author: string;
  /** Number of the change. The ETag is made of it. */
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  /** The key of the signatures (Standard Webhooks). It is shown only once. */
  readonly secret: string;
}

/** A new invitation. */
export interface CreatedInvitation {
  readonly invitation_id: number;
  /** Address of the person. */
  readonly email: string;
  /** Role in the account. */
  readonly role: 'owner' | 'admin' | 'editor' | 'viewer' | 'privacy';
  /** True: the person sees the values of masked attributes. */
  readonly unmasked: boolean;
  readonly status: 'open' | 'expired';
  /** Who invited, as in the audit log. */
  readonly author: string;
  /** When the person was invited. */
  readonly created_at: string;
  /** When the link stops working. */
  readonly expires_at: string;
  /** The link, if no mail server is configured. Send it to the person. It is shown only in this answer. Null: the person gets a mail. */
  readonly link: string | null;
}

/** A new personal access token, which is shown only here. */
export interface CreatedPersonalToken {
  readonly token_id: number;
  /** Purpose of the token. */
  readonly name: string;
  /** The first characters of the token. */
  readonly token_hint: string;
  readonly status: 'active' | 'expired';
  /** The token works only in these accounts. Null: in all accounts of the person. */
  readonly account_ids: readonly number[] | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  /** When the token was created. */
  readonly created_at: string;
  /** The token, for the header `Authorization: Bearer`. It is shown only in this answer. */
  readonly token: string;
}

/** `DeleteAccountQuery` of the interface; /docs of a running service describes it. */
export interface DeleteAccountQuery {
  /** The exact name of the account, as a confirmation. */
  readonly name: string;
}

/** The attributes to delete. */
export interface DeleteAttributesBody {
  readonly data: ReadonlyArray<string | number | {
    readonly name: string;
  } | {
    readonly id: number;
  }>;
}

/** The contacts to delete, or to remove from lists. */
export interface DeleteContactsBody {
  readonly data: {
    readonly contacts: ReadonlyArray<{
      /** Number that the service gave to the contact. */
      readonly contact_id?: number | undefined;
      /** Value of the account's primary key: 1 to 255 characters after trimming. A number is converted to its decimal text. With the primary key EMAIL or MOBILE, it also fills `email` or `mobile`. If both are sent and differ, the contact fails with `identity_mismatch`. */
      readonly identity?: string | number | undefined;
      readonly email?: string | undefined;
      readonly mobile?: string | number | undefined;
      /** If present, the contact only leaves these lists. If absent, the contact is deleted. */
      readonly audience_details?: ReadonlyArray<{
        /** One or more numbers of lists. A single number can be sent without the array. */
        readonly audience_id: readonly number[];
        readonly audience_type?: 'list' | undefined;
        /** Default: remove. */
        readonly action?: 'remove' | undefined;
      }> | undefined;
    }>;
  };
}

/** A callback and the state of its delivery. */
export interface Delivery {
  /** Identifier of the delivery. Every attempt sends it as the header `X-Roster-Delivery`. */
  readonly delivery_id: string;
  /** The reported event: the end of an export or of a batch job. */
  readonly source: 'export' | 'batch';
  /** The `request_id` of the export, or the id of the batch job. */
  readonly source_id: string;
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'GET';
  readonly url: string;
  /** `pending`: waits for its next attempt. `delivered`: the receiver returned 2xx. `failed`: all attempts in 24 hours failed. */
  readonly status: 'pending' | 'delivered' | 'failed';
  /** Number of attempts that were started, including attempts before a replay. */
  readonly attempts: number;
  /** Time of the next attempt. Null when the delivery has ended. */
  readonly next_attempt_at: string | null;
  /** When the reported event happened. */
  readonly created_at: string;
  readonly finished_at: string | null;
}

/** One attempt to send a callback. */
export interface DeliveryAttempt {
  /** Number of the attempt, from 1. Replays continue the count. */
  readonly attempt: number;
  /** When it began. */
  readonly started_at: string;
  /** Milliseconds until the outcome was known. Null while the attempt is running, or if it was interrupted. */
  readonly duration_ms: number | null;
  /** HTTP status of the response. Null when there was no response. */
  readonly status_code: number | null;
  /** Why the attempt failed. Null if it did not fail, or is running. */
  readonly error: {
    /** Stable code. docs/errors.md lists all codes. */
    readonly code: 'bad_status' | 'redirect' | 'timeout' | 'host_not_found' | 'address_refused' | 'url_refused' | 'connection_failed' | 'tls_failed' | 'invalid_response' | 'events_expired' | 'interrupted' | 'internal';
    readonly message: string;
  } | null;
  /** IP address of the receiver. Null when there was no connection. */
  readonly address: string | null;
}

/** A callback with its body and every attempt. */
export interface DeliveryDetail {
  /** Identifier of the delivery. Every attempt sends it as the header `X-Roster-Delivery`. */
  readonly delivery_id: string;
  /** The reported event: the end of an export or of a batch job. */
  readonly source: 'export' | 'batch';
  /** The `request_id` of the export, or the id of the batch job. */
  readonly source_id: string;
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'GET';
  readonly url: string;
  /** `pending`: waits for its next attempt. `delivered`: the receiver returned 2xx. `failed`: all attempts in 24 hours failed. */
  readonly status: 'pending' | 'delivered' | 'failed';
  /** Number of attempts that were started, including attempts before a replay. */
  readonly attempts: number;
  /** Time of the next attempt. Null when the delivery has ended. */
  readonly next_attempt_at: string | null;
  /** When the reported event happened. */
  readonly created_at: string;
  readonly finished_at: string | null;
  /** Names of the headers that the caller added. Their values can be secrets and are never shown. */
  readonly header_names: readonly string[];
  /** The body as it is sent and signed. It is empty for `GET`, because `url` then has the fields in its query. */
  readonly body: string;
  /** Every attempt, oldest first. */
  readonly attempt_log: readonly DeliveryAttempt[];
}

/** An attribute that is computed from the activities of a contact. */
export interface DerivedAttribute {
  /** Name of the field in searches. */
  readonly name: string;
  readonly data_type: 'number' | 'datetime';
  readonly description: string;
}

/** The derived attributes of an account, and their state. */
export interface DerivedAttributes {
  /** `off`: the setting `derived_attributes` is off. `building`: the attributes are being computed the first time, and searches refuse them. `ready`: searches can use them. `rebuilding`: searches can use them, and they are being computed again. `removing`: the setting was switched off, and the stored values are being deleted. */
  readonly state: 'off' | 'building' | 'ready' | 'rebuilding' | 'removing';
  /** How far the attributes are computed. Null unless they are being computed. */
  readonly progress: {
    /** Activities that have been read. */
    readonly done: number;
    /** Activities of the account when it began. */
    readonly total: number;
  } | null;
  /** When they were switched on or off, or requested again. Null if they never were. */
  readonly requested_at: string | null;
  /** All derived attributes, also if they are off. */
  readonly attributes: readonly DerivedAttribute[];
  /** What uses derived attributes directly: segments, event subscriptions, exports and their schedules, bulk changes, and shared views. If you switch them off, all of these fail or pause. */
  readonly uses: readonly AttributeUse[];
}

/** `EraseContactQuery` of the interface; /docs of a running service describes it. */
export interface EraseContactQuery {
  /** `erase`: erases the contact and every trace of it that the service can find. Required, because an erasure cannot be undone. */
  readonly mode: 'erase';
}

/** The erasure of a person and its progress. */
export interface Erasure {
  /** Identifier of the erasure and of its request. */
  readonly request_id: string;
  /** Number that the contact had. */
  readonly contact_id: number;
  /** `running`: the contact is gone, and sending it again fails. Its traces in the request log, its activities, mails and sign-ups are being erased in the background. `done`: the erasure is complete. */
  readonly status: 'running' | 'done';
  readonly accepted_at: string;
  /** When the contact was erased. */
  readonly erased_at: string;
  /** When everything was erased. Null while the erasure runs. */
  readonly finished_at: string | null;
  /** Traces that were erased so far, not counting the contact and its activities. */
  readonly erased: {
    /** Items of requests. */
    readonly items: number;
    /** Mails to the person. */
    readonly mails: number;
    /** Sign-ups. */
    readonly sign_ups: number;
  };
  /** Files of exports that may contain the person and have not expired: all files of segments and filters, and files of lists that the person may have been in. They expire after 7 days. Files of schedules stay longer, and Roster cannot delete files in S3. */
  readonly export_files: ReadonlyArray<{
    /** The export. */
    readonly request_id: string;
    /** Null for an export of a filter. */
    readonly audience_type: 'list' | 'segment' | null;
    readonly audience_id: number | null;
    /** `running`: the file is being written. */
    readonly status: 'running' | 'completed';
    /** When the file is deleted. Null until the export is completed. */
    readonly expires_at: string | null;
  }>;
}

/** An error of V5 and of the operator API. */
export interface ErrorAnswer {
  /** Identifier of the request, a time-ordered UUID. */
  readonly request_id: string;
  /** The HTTP status. */
  readonly code: number;
  readonly status: 'error';
  readonly description: string;
  /** Every fault of the request, up to 50. */
  readonly errors: readonly ErrorEntry[];
  /** Only with 412: the present state, in the form in which the operation returns it. */
  readonly current?: { readonly [name: string]: unknown } | undefined;
}

/** One fault of a request. */
export interface ErrorEntry {
  /** Stable code. docs/errors.md lists all codes. */
  readonly code: string;
  /** Path of the place in the request. */
  readonly field: string;
  readonly message: string;
}

/** A batch of events for a subscription. It has positions, and no events. */
export interface EventDelivery {
  /** Every attempt sends it as the header `webhook-id`. */
  readonly delivery_id: string;
  /** Position of the first event that it covers. */
  readonly first_position: number;
  /** Position of the last event that it covers. */
  readonly last_position: number;
  /** Number of events that the last attempt sent. Null before the first attempt. */
  readonly events: number | null;
  /** `pending`: it is sent now, or waits for its next attempt. `delivered`: the receiver returned 2xx. `failed`: a dead letter, because all attempts in 24 hours failed. `cancelled`: the subscription was moved to another position before. */
  readonly status: 'pending' | 'delivered' | 'failed' | 'cancelled';
  /** True: it was a dead letter, and somebody sent it again. */
  readonly replayed: boolean;
  /** Number of attempts that were started. */
  readonly attempts: number;
  /** HTTP status of the response to the last attempt. */
  readonly status_code: number | null;
  /** Milliseconds of the last attempt. */
  readonly duration_ms: number | null;
  /** Why the last attempt failed. Null if it did not fail, or is running. */
  readonly error: {
    /** Stable code. docs/errors.md lists all codes. */
    readonly code: 'bad_status' | 'redirect' | 'timeout' | 'host_not_found' | 'address_refused' | 'url_refused' | 'connection_failed' | 'tls_failed' | 'invalid_response' | 'events_expired' | 'interrupted' | 'internal';
    readonly message: string;
  } | null;
  /** Time of the next attempt. Null when it has ended. */
  readonly next_attempt_at: string | null;
  /** When it was first sent. */
  readonly created_at: string;
  /** When it was delivered or given up. */
  readonly finished_at: string | null;
}

/** A part of the event feed. */
export interface EventPage {
  /** Events, oldest first. */
  readonly data: readonly AccountEvent[];
  /** The value of `after` for the next request. */
  readonly next_after: number;
  /** Position of the newest event of the account, 0 without events. */
  readonly last_position: number;
}

/** A receiver that gets the events of an account. */
export interface EventSubscription {
  readonly subscription_id: string;
  /** Name for people. */
  readonly name: string;
  /** HTTPS URL of the receiver. An operator can allow plain HTTP and internal addresses. */
  readonly url: string;
  /** Names of the headers. */
  readonly header_names: readonly string[];
  /** Kinds of events. Null: all kinds, also those of later versions. */
  readonly kinds: readonly string[] | null;
  /** The filter, with the current names of the attributes. Null: no filter. */
  readonly filter: ExportFilter | null;
  readonly fields: readonly string[];
  readonly unmasked: boolean;
  /** Maximum number of events in a delivery. Default: 250. */
  readonly max_events: number;
  /** What happens after the last attempt of a delivery. `pause`: the subscription is paused, and nothing is sent out of order. `continue`: the delivery becomes a dead letter, and the later events are sent. Default: pause. */
  readonly when_failed: 'pause' | 'continue';
  readonly status: 'active' | 'paused';
  /** Why and since when it is paused. Null while it is active. */
  readonly pause: {
    readonly reason: 'by_hand' | 'retries_ended' | 'receiver_gone' | 'events_expired' | 'author_rights' | 'filter_invalid';
    readonly message: string;
    readonly since: string;
  } | null;
  /** Events up to this position were delivered, left out, or given up. */
  readonly position: number;
  /** Position of the newest event of the account. */
  readonly last_position: number;
  /** How far the subscription is behind. */
  readonly lag: {
    /** Number of events after `position`, of all kinds. */
    readonly events: number;
    /** Age of the oldest of them. 0 without any. */
    readonly seconds: number;
  };
  /** The delivery that is sent now, or waits for its next attempt. */
  readonly pending: EventDelivery | null;
  /** Number of failed deliveries. */
  readonly dead_letters: number;
  /** When the signing secret was created. */
  readonly secret_created_at: string;
  /** When the previous signing secret stops signing. Null without any. */
  readonly previous_secret_expires_at: string | null;
  /** Who created or changed it last, as in the audit log. Events are sent only while this author may manage callbacks, and may see unmasked values if the subscription needs them. */
  readonly author: string;
  /** Number of the change. The ETag is made of it. */
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The new signing secret of a subscription. */
export interface EventSubscriptionSecret {
  /** The key of the signatures (Standard Webhooks). It is shown only once. */
  readonly secret: string;
  /** When the previous secret stops signing. */
  readonly previous_expires_at: string;
}

/** What a receiver returned to a test event. */
export interface EventTestResult {
  /** The `webhook-id` of the test event. */
  readonly delivery_id: string;
  /** True: the receiver returned 2xx. */
  readonly delivered: boolean;
  readonly status_code: number | null;
  readonly duration_ms: number;
  /** Why the last attempt failed. Null if it did not fail, or is running. */
  readonly error: {
    /** Stable code. docs/errors.md lists all codes. */
    readonly code: 'bad_status' | 'redirect' | 'timeout' | 'host_not_found' | 'address_refused' | 'url_refused' | 'connection_failed' | 'tls_failed' | 'invalid_response' | 'events_expired' | 'interrupted' | 'internal';
    readonly message: string;
  } | null;
}

/** An export, its progress and its file. */
export interface Export {
  /** Identifier of the export. */
  readonly request_id: string;
  /** `accepted`: waits to be written. `running`: is being written. `completed`: the file can be downloaded. `failed`: `error` says why. `cancelled`: an operator stopped it. `expired`: it was completed, and the file was deleted. Roster never deletes a file in the S3 place of a schedule. */
  readonly status: 'accepted' | 'running' | 'completed' | 'failed' | 'cancelled' | 'expired';
  /** Null for an export of a filter. */
  readonly audience_type: 'list' | 'segment' | null;
  readonly audience_id: number | null;
  /** The filter, with the current names of the attributes. Null for an export of an audience. */
  readonly filter: ExportFilter | null;
  /** The columns, as requested. */
  readonly attributes: readonly string[];
  readonly blocklist_type: 'email' | 'mobile' | null;
  /** True when the file has unmasked values of masked attributes. */
  readonly unmasked: boolean;
  /** Who started the export, as in the audit log. */
  readonly author: string;
  /** The API key that requested the export. Null if no API key did. */
  readonly api_key_id: number | null;
  /** The schedule that started the export. */
  readonly schedule_id: string | null;
  /** The time for which the schedule started the export. */
  readonly due_at: string | null;
  /** The place in S3 that gets the file. Null: the file is in the file store of the service. */
  readonly place: string | null;
  readonly file_type: 'csv';
  readonly compression: 'none' | 'gzip';
  /** Expected number of rows. Exact when the export is completed, null before it runs. */
  readonly rows_total: number | null;
  /** Rows written so far. Updated every second. */
  readonly rows_written: number;
  /** Size of the file in bytes. Null until the export is completed. */
  readonly file_size: number | null;
  /** Signed URL of the file. Null unless `status` is `completed`, and for a file in S3. Also null for a caller without the permission `export`, and for a file with unmasked values if the caller may not see them. */
  readonly file_url: string | null;
  /** Why the export failed. */
  readonly error: string | null;
  /** The delivery of the callback. Null until the export has ended, or without a callback. */
  readonly delivery_id: string | null;
  /** The mail to `notify_email`. Null until the export has ended, or without a mail. */
  readonly mail_id: string | null;
  readonly accepted_at: string;
  /** When it started to run. */
  readonly started_at: string | null;
  /** When it ended. */
  readonly finished_at: string | null;
  /** When the file is deleted. */
  readonly expires_at: string | null;
}

/** The export is stored and will be written. */
export interface ExportAcceptedAnswer {
  readonly data: {
    readonly status: 'success';
    readonly description: string;
    /** Identifier of the export. */
    readonly request_id: string;
  };
  /** The same text as the description. */
  readonly message: string;
  readonly statusCode: 200;
}

/** An audience to export to a file. */
export interface ExportAudienceBody {
  /** The audience to export. */
  readonly audience_details: {
    /** In any letter case. */
    readonly audience_type: 'segment' | 'list';
    /** Number of the list or segment. */
    readonly audience_id: number;
    /** Columns of the file, in this order and with these names. A column is an attribute of the account, the primary key, `EMAIL`, `MOBILE`, `CONTACT_ID`, `CONTACT_TYPE`, `IDENTITY`, `CREATED_AT`, `UPDATED_AT`, `EMAIL_OPTED_OUT`, `SMS_OPTED_OUT` or `WHATSAPP_OPTED_OUT`. Mappings apply. A repeated name, in any letter case, is one column at its first place. Default: the primary key, `EMAIL`, `MOBILE`. */
    readonly attributes_needed?: readonly string[] | undefined;
    /** Leaves out contacts that opted out. `email`: contacts that opted out of e-mail. `mobile` (or `phone`): contacts that opted out of SMS or WhatsApp. Both also leave out contacts that were blacklisted without an opt-out. Absent: no contact is left out. */
    readonly blocklist_type?: 'email' | 'mobile' | 'phone' | undefined;
  };
  /** Default: csv. */
  readonly file_type?: 'csv' | undefined;
  /** `gzip`: the file is a `.csv.gz`, and `file_type` is still `csv`. This field is an addition to the original interface. Default: none. */
  readonly compression?: 'none' | 'gzip' | undefined;
  /** E-mail address that gets a mail when the export has ended. Absent or blank: no mail is sent. */
  readonly notify_email?: string | undefined;
  /** The callback that is sent when the export has ended. Required. Send `{}` for no callback. */
  readonly callback_details: {
    /** Default: POST. `GET` sends no body. The fields are query parameters, and `callbackBody` is JSON. */
    readonly method?: 'POST' | 'PUT' | 'PATCH' | 'GET' | undefined;
    /** HTTPS URL of the callback. Absent or blank: there is no callback. An operator can allow plain HTTP and internal addresses. */
    readonly endpoint?: string | undefined;
    /** Headers of the callback. `Host`, `Content-Length`, `Transfer-Encoding`, `Connection` and the headers that Roster sets are refused. */
    readonly header?: ReadonlyArray<{ readonly [name: string]: string | number | boolean | null }> | undefined;
    /** Any object. The callback sends it back as `callbackBody`. Default: `{}`. It has up to 65,536 characters of JSON and 100 levels. With `GET`, it has up to 4,000 characters after percent-encoding. Send integers above 2^53 as strings, because their last digits would be lost. */
    readonly body?: { readonly [name: string]: unknown } | undefined;
  };
}

/** An error of v4. */
export interface ExportErrorAnswer {
  readonly data: {
    readonly status: 'error';
    readonly description: string;
    /** Every fault of the request, up to 150. */
    readonly errors: readonly ErrorEntry[];
  };
  /** The same text as the description. */
  readonly message: string;
  /** The HTTP status. */
  readonly statusCode: number;
}

/** A filter of contact search. An empty object selects all contacts. */
export interface ExportFilter {
  /** Combines the groups. Required when there is more than one. */
  readonly filtering_criteria_operator?: 'and' | 'or' | undefined;
  /** Groups of conditions. Absent or empty: all contacts of the account. */
  readonly filtering_criteria?: ReadonlyArray<{
    /** Combines the conditions of the group. Default: `and`. */
    readonly condition_operator?: 'and' | 'or' | undefined;
    readonly condition_details: ReadonlyArray<{
      /** Name of a config field, an audience field or an attribute, in any letter case. `activity` for the activities of the contact. */
      readonly field: string;
      /** `equals`, `not_equals`, `equals_ignore_case`, `not_equals_ignore_case`, `contains`, `not_contains`, `starts_with`, `ends_with`, `greater_than`, `greater_than_or_equal`, `less_than`, `less_than_or_equal`, `between`, `in_last`, `not_in_last`, `in_next`, `anniversary`, `anniversary_in_next`, `is_null` or `is_not_null`. For the field `activity`: `at_least`, `at_most`, `exactly` or `never`. */
      readonly operation: string;
      /** Values to compare with. A single value can be sent without the array. For dates and date-times, also relative dates, such as `today`, `-30 days` or `this month`. For `in_last` and similar operations, a length of time, such as `30 days`. For the field `activity`, how often it happened, such as 1. */
      readonly value?: ReadonlyArray<string | number | boolean> | undefined;
      /** Optional. The service finds the category by the name of the field. */
      readonly field_category?: 'config' | 'audience' | 'attribute' | 'derived' | 'activity' | undefined;
      /** Only for the field `activity`. What happened: one of these. Default: anything, also `sent`. */
      readonly activity?: ReadonlyArray<'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam'> | undefined;
      /** Only for the field `activity`. On one of these channels. Default: on any. */
      readonly channel?: ReadonlyArray<'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push'> | undefined;
      /** Only for the field `activity`. With one of these messages. Default: with any. */
      readonly message_id?: readonly number[] | undefined;
      /** Only for the field `activity`. With a message of one of these names, instead of `message_id`. The name that the activity was recorded with counts, and the latest name of its message. */
      readonly message_name?: readonly string[] | undefined;
      /** Only for the field `activity`. When they happened. Default: at any time that the account keeps. */
      readonly when?: {
        /** `in_last`, `not_in_last`, `equals`, `less_than`, `less_than_or_equal`, `greater_than`, `greater_than_or_equal`, `between`. The same as for a date-time field. */
        readonly operation: string;
        /** A length of time, such as `30 days`, for `in_last` and `not_in_last`. For the other operations: dates, date-times or relative dates, such as `today`, `-30 days` or `last month`. */
        readonly value?: ReadonlyArray<string | number | boolean> | undefined;
      } | undefined;
    }>;
  }> | undefined;
}

/** The first rows of a file that an export would write. */
export interface ExportPreview {
  /** The header row of the file. With the formula guard of the account, the last column is `roster:formula_guard`. */
  readonly columns: readonly string[];
  /** The first 10 rows, as the file would have them. A missing value is an empty text. */
  readonly rows: ReadonlyArray<readonly string[]>;
  /** Number of rows of the file. */
  readonly rows_total: number;
  /** True: `rows_total` is an estimate. Send `get_count` to get the exact number. */
  readonly is_estimate: boolean;
}

/** The result of an export. */
export interface ExportReport {
  /** Identifier of the export. */
  readonly request_id: string;
  readonly status: 'completed' | 'failed';
  /** Null for an export of a filter. */
  readonly audience_type: 'list' | 'segment' | null;
  readonly audience_id: number | null;
  readonly file_type: 'csv';
  /** Number of contacts in the file. Null without a file. */
  readonly row_count: number | null;
  /** Size of the file in bytes. Null without a file. */
  readonly file_size: number | null;
  /** Signed URL of the file. Null without a file. */
  readonly file_url: string | null;
  /** When the file is deleted. Null without a file. */
  readonly expires_at: string | null;
  /** Why the export failed. */
  readonly error?: string | undefined;
  /** The `callback_details.body` of the request. */
  readonly callbackBody: {
  };
}

/** An export that runs at regular times. */
export interface ExportSchedule {
  readonly schedule_id: string;
  /** Name for people. */
  readonly name: string;
  /** `disabled`: it failed 5 times in a row. Any change of the schedule enables it again. */
  readonly status: 'active' | 'paused' | 'disabled';
  readonly audience_type: 'list' | 'segment' | null;
  readonly audience_id: number | null;
  /** The filter, with the current names of the attributes. Null for an audience. */
  readonly filter: ExportFilter | null;
  readonly attributes: readonly string[];
  readonly blocklist_type: 'email' | 'mobile' | null;
  readonly unmasked: boolean;
  readonly compression: 'none' | 'gzip';
  readonly notify_email: string | null;
  /** The callback, without its headers and body. */
  readonly callback: {
    readonly method: string;
    readonly url: string;
  } | null;
  /** When a schedule runs. */
  readonly timing: {
    /** `day`: at `at`. `week`: on `weekdays` at `at`. `month`: on the day `day` at `at`. `cron`: at the times of the expression `cron`. */
    readonly every: 'day' | 'week' | 'month' | 'cron';
    /** Time of the day, `HH:MM`, in the time zone of the account. A time that a clock change skips is moved to the first moment after it. A time that a clock change repeats counts once. Required unless `every` is `cron`. */
    readonly at?: string | undefined;
    /** Required if `every` is `week`. */
    readonly weekdays?: ReadonlyArray<'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'> | undefined;
    /** Day of the month. In a shorter month, the last day. Required if `every` is `month`. */
    readonly day?: number | undefined;
    /** Five fields (minute, hour, day, month, weekday) in the time zone of the account. Required if `every` is `cron`. */
    readonly cron?: string | undefined;
  };
  /** Time zone of the account. */
  readonly time_zone: string;
  /** The place in S3, without the secret. Null: the file store of the service. */
  readonly place: {
    /** HTTPS address of S3 or of a compatible server. It must not lead to a private address, unless an operator allows the host with `ROSTER_CALLBACK_ALLOW`. */
    readonly endpoint: string;
    readonly region: string;
    readonly bucket: string;
    readonly prefix: string;
    readonly key_id: string;
  } | null;
  /** Number of newest files that are kept. Older files are deleted. Files in S3 stay. Default: 7. */
  readonly keep_files: number;
  /** Failed runs since the last completed run. */
  readonly failures: number;
  /** When it was disabled. */
  readonly disabled_at: string | null;
  /** When it runs next. Null while it is paused or disabled. */
  readonly next_run_at: string | null;
  /** The newest run. */
  readonly last_run: ExportScheduleRun | null;
  /** Who created or changed it last, as in the audit log. A run starts only while this author may export, and may see unmasked values if the schedule exports them. */
  readonly author: string;
  /** Number of the change. The ETag is made of it. */
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** One run of an export schedule. */
export interface ExportScheduleRun {
  /** When the run was due. No two runs have the same time. */
  readonly due_at: string;
  /** True: a person or program started the run. */
  readonly by_hand: boolean;
  /** `started`: the export waits or runs. `completed`, `failed`, `cancelled`: how the export ended. `skipped`: there was no export, because the run before was still going. */
  readonly status: 'started' | 'completed' | 'failed' | 'cancelled' | 'skipped';
  /** The export. Null if there was none. */
  readonly request_id: string | null;
  /** Number of earlier times without a run, because no worker was running. One run replaces them. */
  readonly missed: number;
  /** Why the run failed or was skipped. */
  readonly reason: string | null;
  readonly rows_written: number | null;
  /** In bytes. */
  readonly file_size: number | null;
  /** When it ended. Null while it runs. */
  readonly finished_at: string | null;
}

/** The contacts that quick find has found. */
export interface FindContactsAnswer {
  readonly data: readonly FoundContact[];
  /** True when there are more than 20 matches. */
  readonly more: boolean;
}

/** `FindContactsQuery` of the interface; /docs of a running service describes it. */
export interface FindContactsQuery {
  /** The beginning of an e-mail address, mobile number or identity, or a whole `contact_id`. Mobile numbers can have `+`, `00`, spaces, dashes, dots, slashes and parentheses. */
  readonly find: string;
}

/** The number of erased people whose hashes are kept. */
export interface Forgotten {
  /** Number of erased people whose hashes are kept, so that they are not stored again. */
  readonly people: number;
}

/** A contact, and the field by which it was found. */
export interface FoundContact {
  /** Number of the contact. */
  readonly contact_id: number;
  /** Value of the primary key. Null for anonymous contacts. */
  readonly identity: string | null;
  /** E-mail address. */
  readonly email: string | null;
  /** Mobile number. */
  readonly mobile: string | null;
  readonly contact_type: 'anonymous' | 'identified' | 'unconfirmed' | 'confirmed' | 'blacklisted';
  readonly created_at: string;
  /** The field that matches. */
  readonly found_by: 'contact_id' | 'identity' | 'email' | 'mobile';
  /** True when the whole value matches, not only its beginning. */
  readonly exact: boolean;
}

/** `data` has the request. The `request_id` of the answer itself belongs to this call. */
export interface GetRequestAnswer {
  /** Identifier of the request, a time-ordered UUID. */
  readonly request_id: string;
  readonly code: 200;
  readonly status: 'success';
  readonly description: string;
  /** The request. */
  readonly data: readonly RequestDetail[];
}

/** `GetRequestQuery` of the interface; /docs of a running service describes it. */
export interface GetRequestQuery {
  /** `failures_next_cursor` of the previous answer. The next failures begin after its last one. */
  readonly failures_cursor?: string | undefined;
  /** Only failures with this code. */
  readonly failures_code?: string | undefined;
  /** True: each failure has the contact that its item names. Needs the permission `contacts:read`. Default: false. */
  readonly failures_with_contacts?: boolean | undefined;
}

/** An import, its progress and its result. */
export interface Import {
  readonly import_id: string;
  /** `awaiting_file`: send the file. `fetching`: the file is fetched from `source_url`, or waits for the next attempt. `accepted`: waits to run. `running`: is being read and applied. `completed`: every row was applied or has failed. `failed`: `failure` says why. `cancelled`: an operator stopped it. Rows that were applied before a failure or a cancellation stay. */
  readonly status: 'awaiting_file' | 'fetching' | 'accepted' | 'running' | 'completed' | 'failed' | 'cancelled';
  readonly file_name: string | null;
  /** The URL that the file is fetched from, without its query. Null: the file is sent. */
  readonly source_url: string | null;
  /** The address that gets a mail when the import has ended. */
  readonly notify_email: string | null;
  /** The mail to `notify_email`. Null until the import has ended, or without a mail. */
  readonly mail_id: string | null;
  /** Size of the file as it was sent, in bytes. Null until the file is complete. */
  readonly file_size: number | null;
  /** Bytes of the file that are stored, or fetched so far. The next part of an upload begins here. */
  readonly received_bytes: number;
  readonly format: 'csv' | 'ndjson' | null;
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | null;
  readonly delimiter: ',' | ';' | '|' | 'tab' | null;
  readonly compression: 'none' | 'gzip' | null;
  /** `upsert`: each row creates a contact, or is merged into the contact with the same identity. `create`: a row fails if its contact exists, or if it repeats an earlier row. `update`: a row fails if its contact does not exist. Default: upsert. */
  readonly mode: 'upsert' | 'create' | 'update';
  /** `leave`: an empty cell changes nothing. `clear`: an empty cell clears the value. A cell `""` is an empty text for a text attribute. For other fields, it is an empty cell. Default: leave. */
  readonly blank_cells: 'leave' | 'clear';
  /** The formula guard of exports puts an apostrophe before `=`, `+`, `-`, `@` and similar characters in CSV. `auto`: the apostrophe is removed if the file has the column `roster:formula_guard`. `remove`: it is always removed. `keep`: every cell stays as it is. Default: auto. */
  readonly formula_guard: 'auto' | 'remove' | 'keep';
  /** Lists that the contacts are added to. */
  readonly audience_ids: readonly number[];
  /** Columns that match no field or attribute. `refuse`: the import fails before it writes anything, and names the columns. `skip`: the columns are left out. `create`: each column becomes an attribute, with the narrowest data type that fits all its cells. Default: refuse. */
  readonly unknown_columns: 'refuse' | 'skip' | 'create';
  /** `columns` of the request that created the import. */
  readonly given_columns: { readonly [name: string]: string | null | {
    /** Field (`IDENTITY`, `CONTACT_ID`, `EMAIL`, `MOBILE`, `CREATED_AT`, `EMAIL_OPTED_OUT`, …) or attribute. `CREATED_AT` is the sign-up date. It is stored when a contact is created, and never changes. */
    readonly field: string;
    /** If the account has no such attribute, the import creates it with this data type. An attribute that exists must have this data type. */
    readonly data_type?: 'text' | 'long_text' | 'number' | 'boolean' | 'date' | 'datetime' | undefined;
    /** For dates: `ymd` (2024-01-31, 2024-01-31 09:00:00), `mdy` (1/31/2024 2:05 PM), `dmy` (31.01.2024 14:05), `unix` (seconds or milliseconds). Without it, `CREATED_AT` is read as `ymd`, and attributes as in contact create. */
    readonly date_format?: 'ymd' | 'mdy' | 'dmy' | 'unix' | undefined;
    /** Time zone of dates without an offset. Default: UTC. Used with `date_format` or `CREATED_AT`. */
    readonly time_zone?: string | undefined;
    /** For numbers: `comma` (1.234,50) or `point` (1,234.50). Thousands can also be separated by blanks or apostrophes. Without it, numbers are read as in contact create (1234.50). */
    readonly number_format?: 'comma' | 'point' | undefined;
    /** For opt-outs: what each value does, in any letter case. Without it, usual words are known, such as `unsubscribed` and `subscribed`. No value opts a contact in again. */
    readonly values?: { readonly [name: string]: 'opt_out' | 'nothing' } | undefined;
    /** For opt-outs: what a value does that `values` does not name. Default: `fail`, the row fails. */
    readonly other_values?: 'fail' | 'opt_out' | 'nothing' | undefined;
  } | {
    /** True: each cell has the names of lists. The contact is added to them. Lists that do not exist are created. */
    readonly list_names: true;
    /** Text between the names. Default: a comma. */
    readonly separator?: string | undefined;
  } | {
    /** True: each cell is a JSON object. Its keys are treated like columns of the file. */
    readonly json: true;
  } | {
    /** True: the column is left out. */
    readonly skip: true;
  } };
  readonly preset: 'mailchimp' | 'sendgrid' | 'sendgrid_suppressions' | 'hubspot' | 'listmonk' | 'klaviyo' | 'klaviyo_suppressions' | 'spreadsheet' | null;
  /** Channels that every contact of the file is opted out of. */
  readonly opt_out: ReadonlyArray<'email' | 'sms' | 'whatsapp'>;
  /** True: nothing is written. */
  readonly dry_run: boolean;
  /** Empty until the columns are known. For CSV, they are known when the file is stored. For NDJSON, they are known after its first reading. */
  readonly columns: readonly ImportColumn[];
  /** Columns that match no field or attribute. */
  readonly unknown_headers: readonly string[];
  readonly progress: {
    /** 100 only when the import is completed. */
    readonly percent: number;
    /** Rows that were read so far. */
    readonly rows_read: number;
    readonly rows_per_second: number | null;
    /** Estimated seconds until the end. Null while there is no estimate. */
    readonly seconds_left: number | null;
  };
  /** total = created + updated + unchanged + failed, at any time. */
  readonly counts: {
    /** Rows that were applied or failed so far. */
    readonly total: number;
    /** Created contacts. */
    readonly created: number;
    /** Changed contacts. */
    readonly updated: number;
    /** Contacts that already had the values of the row. */
    readonly unchanged: number;
    /** Rows that were not applied. The file of failures contains them. */
    readonly failed: number;
    /** Values that were left out while the rest of the row was applied. The file of failures contains them, too. */
    readonly warnings: number;
  };
  /** Why the import failed. docs/errors.md lists all codes. */
  readonly failure: {
    readonly code: string;
    readonly message: string;
  } | null;
  readonly created_at: string;
  /** When the file was complete. */
  readonly uploaded_at: string | null;
  /** When it started to run. */
  readonly started_at: string | null;
  /** When it ended. */
  readonly finished_at: string | null;
  /** When the file of failures is deleted. Null unless it can be downloaded. */
  readonly failures_expire_at: string | null;
}

/** A column of an imported file and what it means. */
export interface ImportColumn {
  /** Name of the column in the file. */
  readonly header: string;
  /** Field or attribute of the column. Null: the column is left out. */
  readonly field: string | null;
  /** True for the column with the identities. */
  readonly is_identity: boolean;
  /** Data type of the attribute. Null for fields, and until it is detected. */
  readonly data_type: 'text' | 'long_text' | 'number' | 'boolean' | 'date' | 'datetime' | null;
  /** True when this import creates the attribute. */
  readonly is_new: boolean;
  /** Why the column is left out, or another remark. */
  readonly note: string | null;
}

/** A row that was not applied, or a value that was left out. */
export interface ImportFailureRow {
  /** Line of the file on which the row begins. */
  readonly line: number;
  /** Column of the fault. Null: the fault is about the whole row. */
  readonly column: string | null;
  /** docs/errors.md lists all codes. */
  readonly code: string;
  readonly message: string;
  /** Cells of the row by their columns. Values of masked attributes are masked, unless the caller has the permission `unmasked`. Empty for a row about a forgotten person, and for a row whose cells do not match the columns. */
  readonly values: { readonly [name: string]: string | null };
  /** Beginning of a row whose cells do not match the columns. Otherwise null. */
  readonly text: string | null;
}

/** An invitation that was not accepted yet. */
export interface Invitation {
  readonly invitation_id: number;
  /** Address of the person. */
  readonly email: string;
  /** Role in the account. */
  readonly role: 'owner' | 'admin' | 'editor' | 'viewer' | 'privacy';
  /** True: the person sees the values of masked attributes. */
  readonly unmasked: boolean;
  readonly status: 'open' | 'expired';
  /** Who invited, as in the audit log. */
  readonly author: string;
  /** When the person was invited. */
  readonly created_at: string;
  /** When the link stops working. */
  readonly expires_at: string;
}

/** What an invitation offers. */
export interface InvitationOffer {
  /** Number of the account. */
  readonly account_id: number;
  /** Name of the account. */
  readonly account_name: string;
  /** Address that was invited. */
  readonly email: string;
  /** Role in the account. */
  readonly role: 'owner' | 'admin' | 'editor' | 'viewer' | 'privacy';
  /** True: this address has a user, who must sign in to accept. False: name and password are needed. */
  readonly has_user: boolean;
  /** When the link stops working. */
  readonly expires_at: string;
}

/** The token of an invitation. */
export interface InvitationTokenBody {
  /** The part of the link after `#token=`. */
  readonly token: string;
}

/** The account to leave. */
export interface LeaveAccountBody {
  /** Number of the account. */
  readonly account_id: number;
}

/** A list: an audience with explicit members. */
export interface List {
  /** Number of the list or segment. Lists and segments of an account share one sequence of numbers. */
  readonly audience_id: number;
  /** Name for people. It does not have to be unique. */
  readonly name: string;
  readonly audience_type: 'list';
  /** Number of contacts on the list. */
  readonly member_count: number;
  /** What uses it now: the first 20 uses that the caller may read. Segments need `segments:read`, exports and schedules `exports:read`, event subscriptions `callbacks:read`, and imports `imports:read`. */
  readonly uses: readonly AudienceUse[];
  /** Number of all uses, also those that the caller may not read. */
  readonly use_count: number;
  /** When it was created. */
  readonly created_at: string;
  /** When its definition was changed last. */
  readonly updated_at: string;
}

/** One page of lists or segments. */
export interface ListAudiencesAnswer {
  readonly data: {
    readonly status: 'success';
    readonly description: string;
    /** Identifier of the request. */
    readonly request_id: string;
    readonly page_details: {
      readonly page_no: number;
      readonly page_size: number;
      /** Audiences that match, on all pages. */
      readonly total_count: number;
      readonly total_pages: number;
    };
    readonly audiences: ReadonlyArray<{
      /** Number of the list or segment. */
      readonly audience_id: number;
      readonly audience_type: 'list' | 'segment';
      readonly name: string;
      /** Number of contacts, as of `last_refreshed_date`, or now if that is null. Null: the segment could not be counted in time, or its filter no longer fits the account. */
      readonly count: number | null;
      /** When it was created. */
      readonly created_date: string;
      /** When its definition was changed last. */
      readonly updated_date: string;
      /** The beginning of the day on which the service counted the segment last, in the time zone of the account. Null: `count` is the number now. That is so for lists, for live segments that follow, and for segments that were not counted yet. */
      readonly last_refreshed_date: string | null;
    }>;
  };
  /** The same text as the description. */
  readonly message: string;
  readonly statusCode: 200;
}

/** Which lists or segments to return. */
export interface ListAudiencesBody {
  /** In any letter case. */
  readonly audience_type: 'list' | 'segment';
  readonly page_details?: {
    /** Default: 1. */
    readonly page_no?: number | undefined;
    /** Audiences on a page. Default: 10. */
    readonly page_size?: number | undefined;
  } | undefined;
  readonly sorting_criteria?: {
    /** Default: ids. Audiences with equal values are ordered by their ids. */
    readonly sort_by?: 'ids' | 'updated_date' | 'last_refreshed_date' | undefined;
    /** Default: asc. */
    readonly sort_order?: 'asc' | 'desc' | undefined;
  } | undefined;
  readonly filtering_criteria?: {
    /** Only these audiences. Numbers that are not of an audience of this type are left out of the answer. */
    readonly audience_ids?: readonly number[] | undefined;
    /** Only audiences whose definition was changed last in this time. */
    readonly last_updated_date_range?: {
      /** An operation of the filter language of contact search, with the same meaning. */
      readonly condition: 'equals' | 'greater_than' | 'greater_than_or_equal' | 'less_than' | 'less_than_or_equal' | 'between' | 'in_last';
      /** Two dates for `between`, a length of time for `in_last`, one or more dates for `equals`, and one date for the other conditions. A date is one of `2026-01-31`, `31-01-2026`, `31/01/2026`, a date-time with its offset from UTC, or relative, such as `-30 days`. A date without a time means the whole day in the time zone of the account. A single value can be sent without the array. */
      readonly value: ReadonlyArray<string | number | boolean>;
    } | undefined;
  } | undefined;
}

/** `ListAuditLogQuery` of the interface; /docs of a running service describes it. */
export interface ListAuditLogQuery {
  /** Rows on a page. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. The next page begins after its last row. */
  readonly cursor?: string | undefined;
  /** Only changes of this author, such as `operator` or `user:7`. */
  readonly actor?: string | undefined;
  /** Only this action. A noun with a dot at the end, such as `list.`, means all its actions. */
  readonly action?: string | undefined;
  /** Only changes of this object. A noun with a colon at the end, such as `list:`, means all of them. */
  readonly subject?: string | undefined;
  /** Only changes at this time or later. */
  readonly from?: string | undefined;
  /** Only changes before this time. */
  readonly to?: string | undefined;
}

/** `ListBulkChangesQuery` of the interface; /docs of a running service describes it. */
export interface ListBulkChangesQuery {
  /** Rows on a page. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. The next page begins after its last row. */
  readonly cursor?: string | undefined;
  /** Only bulk changes of this status. */
  readonly status?: 'accepted' | 'running' | 'completed' | 'failed' | 'cancelled' | undefined;
}

/** `ListDeliveriesQuery` of the interface; /docs of a running service describes it. */
export interface ListDeliveriesQuery {
  /** Rows on a page. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. The next page begins after its last row. */
  readonly cursor?: string | undefined;
  /** Only deliveries of this status. */
  readonly status?: 'pending' | 'delivered' | 'failed' | undefined;
  /** Only deliveries about exports, or only about batch jobs. */
  readonly source?: 'export' | 'batch' | undefined;
  /** Only deliveries about one export (its `request_id`) or one batch job (its id). */
  readonly source_id?: string | undefined;
}

/** `ListEventDeliveriesQuery` of the interface; /docs of a running service describes it. */
export interface ListEventDeliveriesQuery {
  /** Rows on a page. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. The next page begins after its last row. */
  readonly cursor?: string | undefined;
  /** Only deliveries of this status. `failed` lists the dead letters. */
  readonly status?: 'pending' | 'delivered' | 'failed' | 'cancelled' | undefined;
}

/** `ListEventsQuery` of the interface; /docs of a running service describes it. */
export interface ListEventsQuery {
  /** Only events after this position. Default: from the oldest event that is kept. */
  readonly after?: number | undefined;
  /** Instead of `after`: only events from the first one at this time or later. Events of requests that were applied at the same time can be seconds out of this order, so begin some seconds earlier. */
  readonly since?: string | undefined;
  /** Maximum number of events. Default: 1000. */
  readonly limit?: number | undefined;
}

/** `ListExportsQuery` of the interface; /docs of a running service describes it. */
export interface ListExportsQuery {
  /** Rows on a page. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. The next page begins after its last row. */
  readonly cursor?: string | undefined;
  /** Only exports of this status. */
  readonly status?: 'accepted' | 'running' | 'completed' | 'failed' | 'cancelled' | 'expired' | undefined;
}

/** How the number of members of a list changed, day by day. All numbers are exact. */
export interface ListGrowth {
  /** Number of the list. */
  readonly audience_id: number;
  /** Time zone of the account, in which days begin. */
  readonly time_zone: string;
  /** Earlier changes are not known: the list did not exist, or an earlier version did not count them. */
  readonly counted_since: string;
  /** Every day since `counted_since`, the oldest first. */
  readonly data: ReadonlyArray<{
    /** The day in the time zone that the account had then. */
    readonly day: string;
    /** Contacts that joined the list. */
    readonly joined: number;
    /** Contacts that left the list. Deleted and merged contacts leave their lists. */
    readonly left: number;
    /** Members at the end of the day. */
    readonly member_count: number;
  }>;
}

/** `ListGrowthQuery` of the interface; /docs of a running service describes it. */
export interface ListGrowthQuery {
  /** Number of days up to today. Default: 30. */
  readonly days?: number | undefined;
}

/** `ListImportFailuresQuery` of the interface; /docs of a running service describes it. */
export interface ListImportFailuresQuery {
  /** Rows on a page. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. The next page begins after its last row. */
  readonly cursor?: string | undefined;
}

/** `ListImportsQuery` of the interface; /docs of a running service describes it. */
export interface ListImportsQuery {
  /** Rows on a page. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. The next page begins after its last row. */
  readonly cursor?: string | undefined;
  /** Only imports of this status. */
  readonly status?: 'awaiting_file' | 'fetching' | 'accepted' | 'running' | 'completed' | 'failed' | 'cancelled' | undefined;
}

/** `ListListsQuery` of the interface; /docs of a running service describes it. */
export interface ListListsQuery {
  /** Rows on a page. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. The next page begins after its last row. */
  readonly cursor?: string | undefined;
  /** Only those whose name contains this text, in any letter case. */
  readonly contains?: string | undefined;
  /** `audience_id` (default), `name` in any letter case, or `updated_at`, the latest change first. Send the same order with a cursor. Lists also have `member_count`, the largest first. */
  readonly order?: 'audience_id' | 'name' | 'updated_at' | 'member_count' | undefined;
}

/** `ListMailsQuery` of the interface; /docs of a running service describes it. */
export interface ListMailsQuery {
  /** Rows on a page. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. The next page begins after its last row. */
  readonly cursor?: string | undefined;
  /** Only mails of this status. */
  readonly status?: 'stored' | 'pending' | 'sent' | 'failed' | undefined;
}

/** `ListMessageActivitiesQuery` of the interface; /docs of a running service describes it. */
export interface ListMessageActivitiesQuery {
  /** Rows on a page. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. The next page begins after its last row. */
  readonly cursor?: string | undefined;
  /** First day, `YYYY-MM-DD`, in the time zone of the account. Default: 30 days that end with `to`. */
  readonly from?: string | undefined;
  /** Last day. Default: today. A period has at most 400 days. */
  readonly to?: string | undefined;
  /** Only this channel. */
  readonly channel?: 'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push' | undefined;
  /** What happened. */
  readonly activity: 'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam';
}

/** `ListMessageStatisticsQuery` of the interface; /docs of a running service describes it. */
export interface ListMessageStatisticsQuery {
  /** Rows on a page. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. The next page begins after its last row. */
  readonly cursor?: string | undefined;
  /** First day, `YYYY-MM-DD`, in the time zone of the account. Default: 30 days that end with `to`. */
  readonly from?: string | undefined;
  /** Last day. Default: today. A period has at most 400 days. */
  readonly to?: string | undefined;
  /** Only this channel. */
  readonly channel?: 'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push' | undefined;
  /** Only this message. */
  readonly message_id?: number | undefined;
}

/** `ListRequestsQuery` of the interface; /docs of a running service describes it. */
export interface ListRequestsQuery {
  /** Rows on a page. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. The next page begins after its last row. */
  readonly cursor?: string | undefined;
  /** Only requests of this status. */
  readonly status?: 'accepted' | 'done' | 'failed' | undefined;
  /** `all_failed`: only requests in which every item failed, or that failed as a whole. `some_failed`: only requests in which some items failed. `succeeded`: only requests without failed items. `failed`: only finished requests with at least one item that was not applied, or that failed as a whole. `warnings`: only finished requests with at least one part that was left out. A request can match both. With `status`, both conditions must match. */
  readonly outcome?: 'failed' | 'warnings' | 'succeeded' | 'some_failed' | 'all_failed' | undefined;
  /** True: the same as `outcome=failed`. False: the same as `outcome=succeeded`. */
  readonly has_failures?: boolean | undefined;
  /** Only requests of this kind. */
  readonly operation?: string | undefined;
  /** Only requests that were accepted at this time or later. */
  readonly from?: string | undefined;
  /** Only requests that were accepted before this time. */
  readonly before?: string | undefined;
}

/** `ListSavedViewsQuery` of the interface; /docs of a running service describes it. */
export interface ListSavedViewsQuery {
  /** Rows on a page. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. The next page begins after its last row. */
  readonly cursor?: string | undefined;
  /** Only views of this page. */
  readonly page?: string | undefined;
}

/** `ListSegmentChangesQuery` of the interface; /docs of a running service describes it. */
export interface ListSegmentChangesQuery {
  /** Rows on a page. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. The next page begins after its last row. */
  readonly cursor?: string | undefined;
}

/** `ListSegmentsQuery` of the interface; /docs of a running service describes it. */
export interface ListSegmentsQuery {
  /** Rows on a page. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. The next page begins after its last row. */
  readonly cursor?: string | undefined;
  /** Only those whose name contains this text, in any letter case. */
  readonly contains?: string | undefined;
  /** `audience_id` (default), `name` in any letter case, or `updated_at`, the latest change first. Send the same order with a cursor. */
  readonly order?: 'audience_id' | 'name' | 'updated_at' | undefined;
}

/** `ListUsersQuery` of the interface; /docs of a running service describes it. */
export interface ListUsersQuery {
  /** Rows on a page. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. The next page begins after its last row. */
  readonly cursor?: string | undefined;
  /** Only users whose name or address contains this text, in any letter case. */
  readonly contains?: string | undefined;
}

/** How a live segment follows changes. */
export interface LiveSegment {
  /** `filling`: a worker evaluates all contacts, because the segment is new or must be filled again. `following`: the members follow every change. `broken`: the filter no longer fits the account, and the members do not change. */
  readonly state: 'filling' | 'following' | 'broken';
  /** Number of members: the contacts that matched when `lag_seconds` is 0. */
  readonly member_count: number;
  /** Age of the oldest change that is not followed yet; 0 if there is none. Null unless following. */
  readonly lag_seconds: number | null;
  /** When the segment was made live. */
  readonly started_at: string;
  /** When all contacts had been evaluated. Null while filling. */
  readonly filled_at: string | null;
}

/** A mail with its text. */
export interface MailDetail {
  /** Identifier of the mail, a time-ordered UUID. It is also the local part of the Message-ID. */
  readonly mail_id: string;
  /** Kind of the mail. */
  readonly template: string;
  readonly to: string;
  readonly subject: string;
  /** `stored`: no mail server is configured, so the mail is not sent. `pending`: waits for its next attempt. `sent`: the mail server accepted it. `failed`: the mail server refused it permanently, or all attempts in 24 hours failed. */
  readonly status: 'stored' | 'pending' | 'sent' | 'failed';
  /** Number of attempts that have ended. */
  readonly attempts: number;
  /** Why the last attempt failed. Null when no attempt failed. */
  readonly last_error: {
    /** Stable code. docs/errors.md lists all codes. */
    readonly code: 'server_unreachable' | 'timeout' | 'tls_failed' | 'login_refused' | 'sender_refused' | 'deferred' | 'recipient_refused' | 'message_refused' | 'server_error';
    readonly message: string;
    /** Reply codes of the mail server, such as `550 5.1.1`. The text of the reply is not kept, because it can contain addresses. */
    readonly reply: string | null;
  } | null;
  readonly created_at: string;
  /** When the mail server accepted it. */
  readonly sent_at: string | null;
  /** Time of the next attempt. Null unless `status` is `pending`. */
  readonly next_attempt_at: string | null;
  /** The mail in plain text. */
  readonly text: string;
  /** The mail in HTML, with the same facts. */
  readonly html: string;
}

/** A mail without its text. */
export interface MailSummary {
  /** Identifier of the mail, a time-ordered UUID. It is also the local part of the Message-ID. */
  readonly mail_id: string;
  /** Kind of the mail. */
  readonly template: string;
  readonly to: string;
  readonly subject: string;
  /** `stored`: no mail server is configured, so the mail is not sent. `pending`: waits for its next attempt. `sent`: the mail server accepted it. `failed`: the mail server refused it permanently, or all attempts in 24 hours failed. */
  readonly status: 'stored' | 'pending' | 'sent' | 'failed';
  /** Number of attempts that have ended. */
  readonly attempts: number;
  /** Why the last attempt failed. Null when no attempt failed. */
  readonly last_error: {
    /** Stable code. docs/errors.md lists all codes. */
    readonly code: 'server_unreachable' | 'timeout' | 'tls_failed' | 'login_refused' | 'sender_refused' | 'deferred' | 'recipient_refused' | 'message_refused' | 'server_error';
    readonly message: string;
    /** Reply codes of the mail server, such as `550 5.1.1`. The text of the reply is not kept, because it can contain addresses. */
    readonly reply: string | null;
  } | null;
  readonly created_at: string;
  /** When the mail server accepted it. */
  readonly sent_at: string | null;
  /** Time of the next attempt. Null unless `status` is `pending`. */
  readonly next_attempt_at: string | null;
}

/** A member of an account. */
export interface Member {
  readonly user_id: number;
  /** Name for people. */
  readonly name: string;
  /** Address for signing in. */
  readonly email: string;
  /** Role in the account. */
  readonly role: 'owner' | 'admin' | 'editor' | 'viewer' | 'privacy';
  /** True: the person sees the values of masked attributes. */
  readonly unmasked: boolean;
  /** True: the person has an authenticator app or a passkey. */
  readonly has_second_factor: boolean;
  /** True: the person cannot sign in. */
  readonly is_disabled: boolean;
  readonly last_seen_at: string | null;
  /** When the person became a member. */
  readonly created_at: string;
}

/** What one contact did with a message, or what happened to it. */
export interface MessageActivity {
  /** Number of the contact. */
  readonly contact_id: number;
  /** Identity of the contact. It is masked like the values of the primary key. */
  readonly identity: string | null;
  readonly contact_type: 'anonymous' | 'identified' | 'unconfirmed' | 'confirmed' | 'blacklisted';
  readonly channel: 'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push';
  readonly activity: 'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam';
  readonly occurred_at: string;
  /** How often this happened to the contact at this moment. */
  readonly count: number;
  /** URL that was clicked. */
  readonly link: string | null;
  readonly bounce_type: 'hard' | 'soft' | null;
}

/** How many activities a message has. */
export interface MessageStatistics {
  /** Number of the message. */
  readonly message_id: number;
  /** The latest name of the message, or null if it has none. */
  readonly name: string | null;
  /** Channels with activities. */
  readonly channels: ReadonlyArray<'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push'>;
  /** First day with an activity in the period. */
  readonly first_day: string;
  /** Last day with an activity in the period. */
  readonly last_day: string;
  /** Messages that were sent. */
  readonly sent: number;
  /** Messages that were delivered. */
  readonly delivered: number;
  /** Opens. A person can open a message several times. */
  readonly open: number;
  /** Clicks. A person can click several times. */
  readonly click: number;
  /** Messages that bounced. */
  readonly bounce: number;
  /** Opt-outs. */
  readonly unsubscribe: number;
  /** Messages that were reported as spam. */
  readonly spam: number;
}

/** An attribute with the state of its index, and how many contacts have a value. */
export interface OperatorAttribute {
  /** Number of the attribute. */
  readonly id: number;
  readonly name: string;
  readonly entity_type: 'contact';
  readonly category: 'profile' | 'demographic' | 'location' | 'behaviour' | 'transaction' | 'preference' | 'custom';
  readonly data_type: 'text' | 'long_text' | 'number' | 'boolean' | 'date' | 'datetime';
  /** Masked like other values, for callers without the permission `unmasked`. */
  readonly default_value: string | number | boolean | null;
  readonly mapping: string | null;
  readonly data_masking: 'none' | 'partial' | 'full';
  /** True for the attributes that every account has. They cannot be deleted or renamed. */
  readonly system: boolean;
  /** When it was created. */
  readonly created_at: string;
  /** When its definition was changed last. */
  readonly updated_at: string;
  /** Contacts that have a value. For a custom primary key: contacts that have an identity. */
  readonly filled: number;
  /** True when an operator asked for an index. */
  readonly indexed: boolean;
  /** `none`: no index. `building`: the index is being built, and searches do not use it yet. `ready`: searches use it. `failed`: the index could not be built. The log of the worker says why. Roster retries every minute, or at once if you ask for the index again. */
  readonly index_status: 'none' | 'building' | 'ready' | 'failed';
}

/** A session of the person. */
export interface OwnSession {
  readonly session_id: number;
  /** True: the session of this request. */
  readonly is_current: boolean;
  /** How the person signed in. `link`: by a link of a mail or of the set-up. */
  readonly method: 'password' | 'passkey' | 'single_sign_on' | 'link';
  /** IP address of the sign-in. */
  readonly address: string;
  /** The browser, as it names itself. */
  readonly client: string;
  /** When the person signed in. */
  readonly created_at: string;
  /** When the session was last used, to the minute. */
  readonly last_seen_at: string;
  /** When the session ends. It ends earlier after 12 hours without a request. */
  readonly expires_at: string;
}

/** `PageQuery` of the interface; /docs of a running service describes it. */
export interface PageQuery {
  /** Rows on a page. Default: 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. The next page begins after its last row. */
  readonly cursor?: string | undefined;
}

/** A passkey, without its keys. */
export interface Passkey {
  readonly passkey_id: number;
  /** Name for people. */
  readonly name: string;
  /** When the passkey was added. */
  readonly created_at: string;
  /** When the passkey was last used. Null: never. */
  readonly last_used_at: string | null;
}

/** What the browser needs to ask for a passkey. Valid for ten minutes. */
export interface PasskeyOptions {
  /** Options in the JSON form of WebAuthn. Give them to `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`. */
  readonly options: { readonly [name: string]: unknown };
}

/** A sign-in with a passkey. */
export interface PasskeySignInBody {
  /** The answer of the passkey: `PublicKeyCredential.toJSON()`. */
  readonly response: {
    /** Identifier of the passkey. */
    readonly id: string;
    /** The same identifier. */
    readonly rawId: string;
    readonly type: 'public-key';
    readonly response: {
      /** What the browser has signed, as base64url. */
      readonly clientDataJSON: string;
      /** Data of the authenticator, as base64url. */
      readonly authenticatorData: string;
      /** The signature, as base64url. */
      readonly signature: string;
      /** The user as the passkey knows it, as base64url. */
      readonly userHandle?: string | undefined;
    };
  };
}

/** An account in which the person has a role. */
export interface PersonAccount {
  readonly account_id: number;
  /** Name of the account. */
  readonly name: string;
  /** Role of the person in the account. */
  readonly role: 'owner' | 'admin' | 'editor' | 'viewer' | 'privacy';
  /** True: the person sees the values of masked attributes. */
  readonly unmasked: boolean;
  /** What the person may do in the account. It has `unmasked` if that is granted. */
  readonly permissions: ReadonlyArray<'contacts:read' | 'contacts:write' | 'attributes:read' | 'attributes:write' | 'lists:read' | 'lists:write' | 'segments:read' | 'segments:write' | 'imports:read' | 'imports:write' | 'export' | 'exports:read' | 'activity:read' | 'activity:write' | 'events:read' | 'requests:read' | 'privacy:write' | 'unmasked' | 'account:read' | 'account:write' | 'account:delete' | 'api-keys:read' | 'api-keys:write' | 'members:read' | 'members:write' | 'callbacks:read' | 'callbacks:write' | 'mails:read' | 'privacy:read' | 'audit-log:read'>;
}

/** Everything that is known about a person. */
export interface PersonExport {
  readonly exported_at: string;
  readonly account: {
    readonly account_id: number;
    readonly name: string;
    readonly primary_key: string;
  };
  readonly contact: {
    readonly contact_id: number;
    /** Null for an anonymous contact. */
    readonly identity: string | null;
    readonly contact_type: 'anonymous' | 'identified' | 'unconfirmed' | 'confirmed' | 'blacklisted';
    readonly type_before_blacklisting: 'anonymous' | 'identified' | 'unconfirmed' | 'confirmed' | 'blacklisted' | null;
    readonly email: string | null;
    readonly mobile: string | null;
    /** Every value, unmasked. */
    readonly attributes: ReadonlyArray<{
      readonly name: string;
      readonly data_type: 'text' | 'long_text' | 'number' | 'boolean' | 'date' | 'datetime';
      readonly value: string | number | boolean;
    }>;
    readonly created_at: string;
    readonly updated_at: string;
  };
  /** Identities that the contact had before. */
  readonly former_identities: ReadonlyArray<{
    readonly identity: string;
    /** When the contact got another identity. */
    readonly changed_at: string;
  }>;
  /** Changes of its type, identity and opt-outs since Roster stores them, oldest first. */
  readonly changes: ReadonlyArray<{
    readonly kind: 'type_changed' | 'identity_changed' | 'opted_out' | 'opted_in';
    /** When the request that made the change was accepted. */
    readonly occurred_at: string;
    readonly request_id: string;
    /** What changed: `from`, `to`, `channel`, `cause` and `activity`, as far as they apply. */
    readonly details: { readonly [name: string]: unknown };
  }>;
  readonly lists: ReadonlyArray<{
    readonly audience_id: number;
    readonly name: string;
  }>;
  /** Segments that contain the contact. A segment that cannot be evaluated is left out. */
  readonly segments: ReadonlyArray<{
    readonly audience_id: number;
    readonly name: string;
  }>;
  /** When the contact entered and left live segments, as long as this is kept, oldest first. */
  readonly segment_changes: ReadonlyArray<{
    readonly audience_id: number;
    readonly change: 'entered' | 'left';
    readonly cause: 'filled' | 'changed' | 'date';
    readonly occurred_at: string;
  }>;
  /** The attributes that are computed from the activities of the person, if the account has them. */
  readonly derived_attributes: ReadonlyArray<{
    readonly name: string;
    readonly data_type: 'number' | 'datetime';
    /** A number, a time, or null for a time without a value. */
    readonly value: number | string | null;
  }>;
  readonly opt_outs: ReadonlyArray<{
    readonly channel: 'email' | 'sms' | 'whatsapp';
    readonly opted_out: boolean;
    /** When the contact last opted in to the channel again. Null if it never did. */
    readonly opted_in_at: string | null;
    /** The last activity that opted the contact out of the channel, if it is still kept. Opt-outs by API calls are in `requests`. */
    readonly last_activity: {
      readonly activity: 'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam';
      readonly occurred_at: string;
    } | null;
  }>;
  /** Actions of operators on the contact, such as blocking it, oldest first. Requests and activities can change its type, too. */
  readonly operator_actions: ReadonlyArray<{
    readonly occurred_at: string;
    readonly actor: string;
    readonly action: string;
  }>;
  /** Oldest first, without their tokens. */
  readonly sign_ups: ReadonlyArray<{
    readonly sign_up_id: string;
    readonly created_at: string;
    /** When the link expires. */
    readonly expires_at: string;
    /** When the link was used. */
    readonly used_at: string | null;
    /** Null when the link was used. */
    readonly contact: { readonly [name: string]: unknown } | null;
  }>;
  /** Mails to the address of the contact, oldest first. */
  readonly mails: ReadonlyArray<{
    readonly mail_id: string;
    readonly template: string;
    readonly to: string;
    readonly subject: string;
    /** The mail in plain text. `[link]` replaces each link, because links can be secrets. */
    readonly text: string;
    readonly status: 'stored' | 'pending' | 'sent' | 'failed';
    readonly created_at: string;
    /** When the mail server accepted it. */
    readonly sent_at: string | null;
  }>;
  /** Files of exports that may contain the contact and have not expired. */
  readonly export_files: ReadonlyArray<{
    /** The export. */
    readonly request_id: string;
    /** Null for an export of a filter. */
    readonly audience_type: 'list' | 'segment' | null;
    readonly audience_id: number | null;
    /** `running`: the file is being written. */
    readonly status: 'running' | 'completed';
    /** When the file is deleted. Null until the export is completed. */
    readonly expires_at: string | null;
  }>;
  /** Requests that named the person and are still kept, newest first. */
  readonly requests: ReadonlyArray<{
    readonly request_id: string;
    readonly operation: string;
    readonly accepted_at: string;
    /** When it was applied. Null while it waits. */
    readonly finished_at: string | null;
    readonly status: 'accepted' | 'done' | 'failed';
    /** The items of the request that name the person. */
    readonly items: ReadonlyArray<{
      /** Index of the item in the request, from 0. */
      readonly index: number;
      /** The item as it was stored. */
      readonly item: { readonly [name: string]: unknown };
      /** Why the item was not applied, or only in part. */
      readonly failures: ReadonlyArray<{
        readonly code: string;
        readonly field: string | null;
        readonly message: string;
        readonly warning: boolean;
      }>;
    }>;
  }>;
  /** All activities that are still kept, oldest first. */
  readonly activities: ReadonlyArray<{
    readonly channel: 'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push';
    readonly activity: 'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam';
    readonly occurred_at: string;
    readonly message_id: number | null;
    readonly msg_name: string | null;
    readonly bounce_type: 'hard' | 'soft' | null;
    readonly ip: string | null;
    readonly device: string | null;
    readonly os: string | null;
    readonly browser: string | null;
    readonly link: string | null;
  }>;
  /** The last field. Without it, the answer was cut off. */
  readonly complete: true;
}

/** A personal access token, without the token itself. */
export interface PersonalToken {
  readonly token_id: number;
  /** Purpose of the token. */
  readonly name: string;
  /** The first characters of the token. */
  readonly token_hint: string;
  readonly status: 'active' | 'expired';
  /** The token works only in these accounts. Null: in all accounts of the person. */
  readonly account_ids: readonly number[] | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  /** When the token was created. */
  readonly created_at: string;
}

/** What an account waits for, what runs now, and what failed. */
export interface PipelineState {
  /** Requests of the account that wait, counted up to 10,000. */
  readonly waiting_requests: number;
  /** Items in these requests. */
  readonly waiting_items: number;
  /** How long the oldest request has waited. 0 if none waits. */
  readonly lag_seconds: number;
  /** Worker processes that run now. */
  readonly workers: number;
  /** Imports and exports that wait or run, newest first; at most 50. */
  readonly running: ReadonlyArray<{
    readonly kind: 'request' | 'import' | 'export' | 'bulk_change' | 'callback' | 'mail';
    /** The `request_id`, `import_id`, `bulk_change_id`, `delivery_id` or `mail_id`. An export has the `request_id`. */
    readonly id: string;
    /** What it is: the operation, the name of the file, the action of the bulk change, the URL without its query, or the template of the mail. */
    readonly title: string;
    /** How much is done. Null if this is unknown or does not apply. */
    readonly percent: number | null;
    /** When it began, or when it failed. */
    readonly at: string;
    /** Why it failed, as a code or a sentence. Null while it runs. */
    readonly cause: string | null;
    /** How many items or rows failed. Null if this does not apply. */
    readonly failed: number | null;
  }>;
  readonly failed_since: string;
  /** One row for each kind that has failures. `request`, `import`, `bulk_change`: also those in which only some items failed. Kinds that the caller cannot read are left out. */
  readonly failures: ReadonlyArray<{
    readonly kind: 'request' | 'import' | 'export' | 'bulk_change' | 'callback' | 'mail';
    /** How many failed, counted up to 1,000. */
    readonly count: number;
    /** The newest 5. */
    readonly latest: ReadonlyArray<{
      readonly kind: 'request' | 'import' | 'export' | 'bulk_change' | 'callback' | 'mail';
      /** The `request_id`, `import_id`, `bulk_change_id`, `delivery_id` or `mail_id`. An export has the `request_id`. */
      readonly id: string;
      /** What it is: the operation, the name of the file, the action of the bulk change, the URL without its query, or the template of the mail. */
      readonly title: string;
      /** How much is done. Null if this is unknown or does not apply. */
      readonly percent: number | null;
      /** When it began, or when it failed. */
      readonly at: string;
      /** Why it failed, as a code or a sentence. Null while it runs. */
      readonly cause: string | null;
      /** How many items or rows failed. Null if this does not apply. */
      readonly failed: number | null;
    }>;
  }>;
}

/** `PipelineStateQuery` of the interface; /docs of a running service describes it. */
export interface PipelineStateQuery {
  /** Failures from this moment on. Default: the last 24 hours. */
  readonly failed_since?: string | undefined;
}

/** The contacts and columns of an export. */
export interface PreviewExportBody {
  /** Together with `audience_id`, and without `filter`. */
  readonly audience_type?: 'list' | 'segment' | undefined;
  /** Number of the list or segment. */
  readonly audience_id?: number | undefined;
  /** A filter of contact search, instead of an audience. `{}` selects all contacts. */
  readonly filter?: {
    /** Combines the groups. Required when there is more than one. */
    readonly filtering_criteria_operator?: 'and' | 'or' | undefined;
    /** Groups of conditions. Absent or empty: all contacts of the account. */
    readonly filtering_criteria?: ReadonlyArray<{
      /** Combines the conditions of the group. Default: `and`. */
      readonly condition_operator?: 'and' | 'or' | undefined;
      readonly condition_details: ReadonlyArray<{
        /** Name of a config field, an audience field or an attribute, in any letter case. `activity` for the activities of the contact. */
        readonly field: string;
        /** `equals`, `not_equals`, `equals_ignore_case`, `not_equals_ignore_case`, `contains`, `not_contains`, `starts_with`, `ends_with`, `greater_than`, `greater_than_or_equal`, `less_than`, `less_than_or_equal`, `between`, `in_last`, `not_in_last`, `in_next`, `anniversary`, `anniversary_in_next`, `is_null` or `is_not_null`. For the field `activity`: `at_least`, `at_most`, `exactly` or `never`. */
        readonly operation: string;
        /** Values to compare with. A single value can be sent without the array. For dates and date-times, also relative dates, such as `today`, `-30 days` or `this month`. For `in_last` and similar operations, a length of time, such as `30 days`. For the field `activity`, how often it happened, such as 1. */
        readonly value?: ReadonlyArray<string | number | boolean> | undefined;
        /** Optional. The service finds the category by the name of the field. */
        readonly field_category?: 'config' | 'audience' | 'attribute' | 'derived' | 'activity' | undefined;
        /** Only for the field `activity`. What happened: one of these. Default: anything, also `sent`. */
        readonly activity?: ReadonlyArray<'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam'> | undefined;
        /** Only for the field `activity`. On one of these channels. Default: on any. */
        readonly channel?: ReadonlyArray<'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push'> | undefined;
        /** Only for the field `activity`. With one of these messages. Default: with any. */
        readonly message_id?: readonly number[] | undefined;
        /** Only for the field `activity`. With a message of one of these names, instead of `message_id`. The name that the activity was recorded with counts, and the latest name of its message. */
        readonly message_name?: readonly string[] | undefined;
        /** Only for the field `activity`. When they happened. Default: at any time that the account keeps. */
        readonly when?: {
          /** `in_last`, `not_in_last`, `equals`, `less_than`, `less_than_or_equal`, `greater_than`, `greater_than_or_equal`, `between`. The same as for a date-time field. */
          readonly operation: string;
          /** A length of time, such as `30 days`, for `in_last` and `not_in_last`. For the other operations: dates, date-times or relative dates, such as `today`, `-30 days` or `last month`. */
          readonly value?: ReadonlyArray<string | number | boolean> | undefined;
        } | undefined;
      }>;
    }> | undefined;
  } | undefined;
  /** Columns of the file, in this order and with these names. A column is an attribute of the account, the primary key, `EMAIL`, `MOBILE`, `CONTACT_ID`, `CONTACT_TYPE`, `IDENTITY`, `CREATED_AT`, `UPDATED_AT`, `EMAIL_OPTED_OUT`, `SMS_OPTED_OUT` or `WHATSAPP_OPTED_OUT`. Mappings apply. A repeated name, in any letter case, is one column at its first place. Default: the primary key, `EMAIL`, `MOBILE`. */
  readonly attributes?: readonly string[] | undefined;
  /** Leaves out contacts that opted out. `email`: contacts that opted out of e-mail. `mobile`: contacts that opted out of SMS or WhatsApp. Both also leave out contacts that were blacklisted without an opt-out. Absent: no contact is left out. */
  readonly blocklist_type?: 'email' | 'mobile' | undefined;
  /** True: the file has the values of masked attributes. The caller needs the permission `unmasked`. Default: false. */
  readonly unmasked?: boolean | undefined;
  /** True: `rows_total` is exact. Counting many contacts can take as long as a search. Default: false. */
  readonly get_count?: boolean | undefined;
}

/** Activities to record. */
export interface RecordActivitiesBody {
  readonly data: ReadonlyArray<{
    /** Value of the account's primary key. The contact does not have to exist yet. The activity shows when the contact is created. */
    readonly identity: string | number;
    readonly channel: 'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push';
    readonly activity: 'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam';
    /** When it happened, to the millisecond. Up to one day in the future, and not older than the account keeps activities (`activity_retention_months`). */
    readonly occurred_at: string;
    /** Identifier of the record in your system, 1 to 255 characters. With an `id`, you can safely send the record again. A record with the same `identity`, `channel`, `occurred_at` (to the millisecond) and `id` as an earlier one changes nothing and counts as `unchanged`. All four must be equal: with another `occurred_at`, it is a new record. So store `occurred_at` with the record, and do not use the time of sending. A record without an `id` is always new. */
    readonly id?: string | number | undefined;
    /** Number of the message. */
    readonly message_id?: number | undefined;
    /** Name of the message, such as that of a campaign. */
    readonly msg_name?: string | undefined;
    /** IP address of the person. Only for `open`, `click`, `unsubscribe` and `spam`. */
    readonly ip?: string | undefined;
    /** Only for `open`, `click`, `unsubscribe` and `spam`. */
    readonly device?: string | undefined;
    /** Only for `open`, `click`, `unsubscribe` and `spam`. */
    readonly os?: string | undefined;
    /** Only for `open`, `click`, `unsubscribe` and `spam`. */
    readonly browser?: string | undefined;
    /** URL that was clicked. Only for `click`. */
    readonly link?: string | undefined;
    /** Only for `bounce`: `hard` opts the contact out of the channel. Default: soft. */
    readonly bounce_type?: 'hard' | 'soft' | undefined;
  }>;
}

/** Codes that replace the authenticator app, once each. */
export interface RecoveryCodes {
  /** Codes that replace the app, once each. They are shown only in this answer. */
  readonly recovery_codes: readonly string[];
}

/** The person who can be stored again. */
export interface RememberBody {
  /** Value of the account's primary key: 1 to 255 characters after trimming. A number is converted to its decimal text. With the primary key EMAIL or MOBILE, it also fills `email` or `mobile`. If both are sent and differ, the contact fails with `identity_mismatch`. */
  readonly identity?: string | number | undefined;
  /** E-mail address that gets the link. */
  readonly email?: string | undefined;
  readonly mobile?: string | number | undefined;
}

/** The person can be stored again. */
export interface Remembered {
  /** Number of erased people who can be stored again. It can be more than one if they shared an address. */
  readonly people: number;
}

/** The position from which events are sent again. */
export interface ReplayEventsBody {
  /** The next event is the one after this position. It can be before or after the present position of the subscription. */
  readonly after: number;
}

/** A request and its outcome, with its failures. */
export interface RequestDetail {
  readonly request_id: string;
  /** Kind of the request. */
  readonly operation: string;
  /** `accepted`: waits to be applied. `done`: was applied, perhaps with failed items. `failed`: could not be applied as a whole. */
  readonly status: 'accepted' | 'done' | 'failed';
  /** `succeeded`: no item failed. `some_failed`: some items failed. `all_failed`: every item failed, or the request failed as a whole. Null until the request is finished. */
  readonly outcome: 'succeeded' | 'some_failed' | 'all_failed' | null;
  readonly accepted_at: string;
  readonly finished_at: string | null;
  /** When the request is finished, total = created + updated + unchanged + deleted + failed. Before that, all counts except `total` are 0. */
  readonly counts: {
    /** Items of the request. */
    readonly total: number;
    /** Created contacts, attributes or activities. */
    readonly created: number;
    /** Changed contacts or attributes. */
    readonly updated: number;
    /** Items that changed nothing, for example because the contact already had these values. */
    readonly unchanged: number;
    /** Deleted contacts or attributes. */
    readonly deleted: number;
    /** Items that were not applied. `failures` says why. */
    readonly failed: number;
    /** Parts of items that were left out while the rest was applied. `failures` lists the first 100 of an item and the first 1000 of a request. */
    readonly warnings: number;
  };
  /** The codes of all failures and warnings, the most frequent first. */
  readonly failure_codes: ReadonlyArray<{
    readonly code: 'identity_invalid' | 'identity_missing' | 'identity_mismatch' | 'identity_taken' | 'identity_ignored' | 'contact_not_found' | 'contact_ambiguous' | 'contact_exists' | 'contact_invalid' | 'too_many_attributes' | 'contact_forgotten' | 'contact_type_refused' | 'contact_changed' | 'attribute_unknown' | 'attribute_derived' | 'attribute_type_mismatch' | 'value_masked' | 'attribute_limit' | 'contact_too_large' | 'attribute_exists' | 'attribute_not_found' | 'attribute_system' | 'attribute_in_use' | 'attribute_repeated' | 'attribute_count' | 'attribute_mapping' | 'attribute_data_type' | 'attribute_default' | 'attribute_defaults' | 'attribute_masked' | 'not_applied' | 'list_unknown' | 'activity_in_future' | 'activity_too_old' | 'withdrawn' | 'given_up' | 'payload_unreadable' | 'internal';
    /** Number of failures and warnings with this code. */
    readonly count: number;
  }>;
  /** In the order of the items, up to 1000 in one answer. */
  readonly failures: readonly RequestFailure[];
  /** Send it as `failures_cursor` to get the next failures. Null when there are no more. */
  readonly failures_next_cursor: string | null;
}

/** Why an item of a request was not applied, or only in part. */
export interface RequestFailure {
  /** Index of the item in the request, from 0. */
  readonly index: number;
  /** Stable reason code. docs/errors.md lists all codes. */
  readonly code: 'identity_invalid' | 'identity_missing' | 'identity_mismatch' | 'identity_taken' | 'identity_ignored' | 'contact_not_found' | 'contact_ambiguous' | 'contact_exists' | 'contact_invalid' | 'too_many_attributes' | 'contact_forgotten' | 'contact_type_refused' | 'contact_changed' | 'attribute_unknown' | 'attribute_derived' | 'attribute_type_mismatch' | 'value_masked' | 'attribute_limit' | 'contact_too_large' | 'attribute_exists' | 'attribute_not_found' | 'attribute_system' | 'attribute_in_use' | 'attribute_repeated' | 'attribute_count' | 'attribute_mapping' | 'attribute_data_type' | 'attribute_default' | 'attribute_defaults' | 'attribute_masked' | 'not_applied' | 'list_unknown' | 'activity_in_future' | 'activity_too_old' | 'withdrawn' | 'given_up' | 'payload_unreadable' | 'internal';
  /** Field of the item, if the reason concerns one. */
  readonly field?: string | undefined;
  readonly message: string;
  /** True when the rest of the item was applied. */
  readonly warning: boolean;
  /** The contact that the item names, with `failures_with_contacts`. Absent if the item names none, or if its person was erased. */
  readonly contact?: {
    /** The field of the item. */
    readonly field: 'contact_id' | 'identity' | 'email' | 'mobile';
    /** The value as it was sent, up to 255 characters. A masked identity is masked. */
    readonly value: string;
  } | undefined;
}

/** The address of a person. */
export interface RequestPasswordResetBody {
  /** Address for signing in. */
  readonly email: string;
}

/** A request and its outcome, without its failures. */
export interface RequestSummary {
  readonly request_id: string;
  /** Kind of the request. */
  readonly operation: string;
  /** `accepted`: waits to be applied. `done`: was applied, perhaps with failed items. `failed`: could not be applied as a whole. */
  readonly status: 'accepted' | 'done' | 'failed';
  /** `succeeded`: no item failed. `some_failed`: some items failed. `all_failed`: every item failed, or the request failed as a whole. Null until the request is finished. */
  readonly outcome: 'succeeded' | 'some_failed' | 'all_failed' | null;
  readonly accepted_at: string;
  readonly finished_at: string | null;
  /** When the request is finished, total = created + updated + unchanged + deleted + failed. Before that, all counts except `total` are 0. */
  readonly counts: {
    /** Items of the request. */
    readonly total: number;
    /** Created contacts, attributes or activities. */
    readonly created: number;
    /** Changed contacts or attributes. */
    readonly updated: number;
    /** Items that changed nothing, for example because the contact already had these values. */
    readonly unchanged: number;
    /** Deleted contacts or attributes. */
    readonly deleted: number;
    /** Items that were not applied. `failures` says why. */
    readonly failed: number;
    /** Parts of items that were left out while the rest was applied. `failures` lists the first 100 of an item and the first 1000 of a request. */
    readonly warnings: number;
  };
}

/** The long work of an account that runs or has just ended. */
export interface RunningAnswer {
  /** Newest first, up to 100. */
  readonly data: readonly RunningWork[];
}

/** Long work: an import, an export, a bulk change, an erasure or an index. */
export interface RunningWork {
  readonly kind: 'import' | 'export' | 'bulk_change' | 'erasure' | 'attribute_index';
  /** The import_id, request_id or attribute_id. */
  readonly id: string;
  /** What it works on: the name of a file, audience or attribute. Never personal data. */
  readonly title: string;
  readonly status: 'waiting' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** Null if it is not known. */
  readonly percent: number | null;
  readonly rows_done: number | null;
  /** Null if it is not known. It can be an estimate until the work is completed. */
  readonly rows_total: number | null;
  /** Rows or contacts that failed. */
  readonly rows_failed: number;
  readonly rows_per_second: number | null;
  /** At the present speed. Null if it is not known. */
  readonly seconds_left: number | null;
  /** Why it failed. */
  readonly error: string | null;
  /** Null while it waits. */
  readonly started_at: string | null;
  /** Null until it has ended. It is shown for 5 more minutes. */
  readonly finished_at: string | null;
}

/** A state of a console page with a name. */
export interface SavedView {
  readonly view_id: string;
  /** Name for people. It does not have to be unique. */
  readonly name: string;
  /** The page of the console, in lower-case letters. */
  readonly page: string;
  /** The state of the page, as in its address. Callers without the permission `unmasked` see `****` instead of the values of conditions on masked fields. At most 16384 bytes of JSON. */
  readonly state: { readonly [name: string]: unknown };
  /** True: everyone in the account sees the view. */
  readonly shared: boolean;
  /** Who created it, as in the audit log. */
  readonly author: string;
  /** Number of the change. The ETag is made of it. */
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The contacts found, with the requested fields. */
export interface SearchAnswer {
  /** Identifier of the request, a time-ordered UUID. */
  readonly request_id: string;
  readonly code: 200;
  readonly status: 'success';
  readonly description: string;
  readonly data: ReadonlyArray<{ readonly [name: string]: unknown }>;
  /** Number of all matches, if you asked for it. */
  readonly count?: number | undefined;
  /** Cursor of the next page, or null on the last page. A page of long rows can have fewer rows than `limit` and still have a next page. */
  readonly next_cursor?: string | null | undefined;
}

/** The attributes found. */
export interface SearchAttributesAnswer {
  /** Identifier of the request, a time-ordered UUID. */
  readonly request_id: string;
  readonly code: 200;
  readonly status: 'success';
  readonly description: string;
  readonly data: readonly AttributeRecord[];
  /** Number of all matches, if you asked for it. */
  readonly count?: number | undefined;
}

/** A search of attributes. An empty object finds all of them. */
export interface SearchAttributesBody {
  /** Combines the groups. Required when there is more than one. */
  readonly filtering_criteria_operator?: 'and' | 'or' | undefined;
  /** Groups of conditions. Absent or empty: all attributes of the account. */
  readonly filtering_criteria?: ReadonlyArray<{
    /** Combines the conditions of the group. Default: `and`. */
    readonly condition_operator?: 'and' | 'or' | undefined;
    readonly condition_details: ReadonlyArray<{
      /** `name`, `entity_type`, `data_type` or `category`, in any letter case. */
      readonly field: string;
      /** `equals`, and for `name` also `contains` and `starts_with`. */
      readonly operation: string;
      /** Values to compare with, in any letter case. `equals` takes one or more values and matches any of them. Other operations take one value. A single value can be sent without the array. */
      readonly value?: ReadonlyArray<string | number | boolean> | undefined;
      /** Not needed. `audience` is refused, because attributes are not in audiences. */
      readonly field_category?: 'config' | 'audience' | 'attribute' | undefined;
    }>;
  }> | undefined;
  readonly output?: {
    /** True: the answer has the exact number of all matches in `count`. */
    readonly get_count?: boolean | undefined;
    /** Default: name asc. Equal values are ordered by `id`. */
    readonly sorting?: ReadonlyArray<{
      /** `id`, `name`, `entity_type`, `data_type`, `category`, `created_at` or `updated_at`. */
      readonly field: string;
      /** Default: asc. */
      readonly direction?: 'asc' | 'desc' | undefined;
    }> | undefined;
    readonly pagination?: {
      /** Default: 1. */
      readonly page?: number | undefined;
      /** Rows on a page. Default: 10. */
      readonly limit?: number | undefined;
    } | undefined;
    readonly fields?: readonly string[] | undefined;
  } | undefined;
  /** The same as `output.get_count`. Older clients send it here. */
  readonly get_count?: boolean | undefined;
}

/** A search of the contacts of one list or segment. */
export interface SearchAudienceBody {
  /** Required, together with `audience_id`, unless a condition names the audience. Such a condition is on `list_id` or `segment_id` with `equals` and one value, and is not part of an `or`. */
  readonly audience_type?: 'list' | 'segment' | undefined;
  /** One or more numbers of audiences. A contact in any of them matches. */
  readonly audience_id?: readonly number[] | undefined;
  /** Combines the groups. Required when there is more than one. */
  readonly filtering_criteria_operator?: 'and' | 'or' | undefined;
  /** Groups of conditions. Absent or empty: all contacts of the account. */
  readonly filtering_criteria?: ReadonlyArray<{
    /** Combines the conditions of the group. Default: `and`. */
    readonly condition_operator?: 'and' | 'or' | undefined;
    readonly condition_details: ReadonlyArray<{
      /** Name of a config field, an audience field or an attribute, in any letter case. `activity` for the activities of the contact. */
      readonly field: string;
      /** `equals`, `not_equals`, `equals_ignore_case`, `not_equals_ignore_case`, `contains`, `not_contains`, `starts_with`, `ends_with`, `greater_than`, `greater_than_or_equal`, `less_than`, `less_than_or_equal`, `between`, `in_last`, `not_in_last`, `in_next`, `anniversary`, `anniversary_in_next`, `is_null` or `is_not_null`. For the field `activity`: `at_least`, `at_most`, `exactly` or `never`. */
      readonly operation: string;
      /** Values to compare with. A single value can be sent without the array. For dates and date-times, also relative dates, such as `today`, `-30 days` or `this month`. For `in_last` and similar operations, a length of time, such as `30 days`. For the field `activity`, how often it happened, such as 1. */
      readonly value?: ReadonlyArray<string | number | boolean> | undefined;
      /** Optional. The service finds the category by the name of the field. */
      readonly field_category?: 'config' | 'audience' | 'attribute' | 'derived' | 'activity' | undefined;
      /** Only for the field `activity`. What happened: one of these. Default: anything, also `sent`. */
      readonly activity?: ReadonlyArray<'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam'> | undefined;
      /** Only for the field `activity`. On one of these channels. Default: on any. */
      readonly channel?: ReadonlyArray<'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push'> | undefined;
      /** Only for the field `activity`. With one of these messages. Default: with any. */
      readonly message_id?: readonly number[] | undefined;
      /** Only for the field `activity`. With a message of one of these names, instead of `message_id`. The name that the activity was recorded with counts, and the latest name of its message. */
      readonly message_name?: readonly string[] | undefined;
      /** Only for the field `activity`. When they happened. Default: at any time that the account keeps. */
      readonly when?: {
        /** `in_last`, `not_in_last`, `equals`, `less_than`, `less_than_or_equal`, `greater_than`, `greater_than_or_equal`, `between`. The same as for a date-time field. */
        readonly operation: string;
        /** A length of time, such as `30 days`, for `in_last` and `not_in_last`. For the other operations: dates, date-times or relative dates, such as `today`, `-30 days` or `last month`. */
        readonly value?: ReadonlyArray<string | number | boolean> | undefined;
      } | undefined;
    }>;
  }> | undefined;
  readonly output?: {
    /** True: the answer has the exact number of all matches in `count`. */
    readonly get_count?: boolean | undefined;
    /** Default: created_at desc. Contacts without a value come last. Equal values are ordered by `contact_id`. */
    readonly sorting?: ReadonlyArray<{
      /** Config field or attribute. */
      readonly field: string;
      /** Default: asc. */
      readonly direction?: 'asc' | 'desc' | undefined;
    }> | undefined;
    readonly pagination?: {
      /** Default: 1. */
      readonly page?: number | undefined;
      /** Rows on a page. Default: 10. All values together can have up to 16,777,216 characters, so long texts can need smaller pages. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the previous answer. The page begins after its last row. Leave out `page`, and send the same filter and sorting. Another sorting is refused. Another filter is accepted: the answer then has its matches after the same position in the sorting. */
      readonly cursor?: string | undefined;
    } | undefined;
    readonly fields?: readonly string[] | undefined;
  } | undefined;
  /** The same as `output.get_count`. Older clients send it here. */
  readonly get_count?: boolean | undefined;
}

/** A search of contacts. An empty object finds all of them. */
export interface SearchContactsBody {
  /** Combines the groups. Required when there is more than one. */
  readonly filtering_criteria_operator?: 'and' | 'or' | undefined;
  /** Groups of conditions. Absent or empty: all contacts of the account. */
  readonly filtering_criteria?: ReadonlyArray<{
    /** Combines the conditions of the group. Default: `and`. */
    readonly condition_operator?: 'and' | 'or' | undefined;
    readonly condition_details: ReadonlyArray<{
      /** Name of a config field, an audience field or an attribute, in any letter case. `activity` for the activities of the contact. */
      readonly field: string;
      /** `equals`, `not_equals`, `equals_ignore_case`, `not_equals_ignore_case`, `contains`, `not_contains`, `starts_with`, `ends_with`, `greater_than`, `greater_than_or_equal`, `less_than`, `less_than_or_equal`, `between`, `in_last`, `not_in_last`, `in_next`, `anniversary`, `anniversary_in_next`, `is_null` or `is_not_null`. For the field `activity`: `at_least`, `at_most`, `exactly` or `never`. */
      readonly operation: string;
      /** Values to compare with. A single value can be sent without the array. For dates and date-times, also relative dates, such as `today`, `-30 days` or `this month`. For `in_last` and similar operations, a length of time, such as `30 days`. For the field `activity`, how often it happened, such as 1. */
      readonly value?: ReadonlyArray<string | number | boolean> | undefined;
      /** Optional. The service finds the category by the name of the field. */
      readonly field_category?: 'config' | 'audience' | 'attribute' | 'derived' | 'activity' | undefined;
      /** Only for the field `activity`. What happened: one of these. Default: anything, also `sent`. */
      readonly activity?: ReadonlyArray<'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam'> | undefined;
      /** Only for the field `activity`. On one of these channels. Default: on any. */
      readonly channel?: ReadonlyArray<'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push'> | undefined;
      /** Only for the field `activity`. With one of these messages. Default: with any. */
      readonly message_id?: readonly number[] | undefined;
      /** Only for the field `activity`. With a message of one of these names, instead of `message_id`. The name that the activity was recorded with counts, and the latest name of its message. */
      readonly message_name?: readonly string[] | undefined;
      /** Only for the field `activity`. When they happened. Default: at any time that the account keeps. */
      readonly when?: {
        /** `in_last`, `not_in_last`, `equals`, `less_than`, `less_than_or_equal`, `greater_than`, `greater_than_or_equal`, `between`. The same as for a date-time field. */
        readonly operation: string;
        /** A length of time, such as `30 days`, for `in_last` and `not_in_last`. For the other operations: dates, date-times or relative dates, such as `today`, `-30 days` or `last month`. */
        readonly value?: ReadonlyArray<string | number | boolean> | undefined;
      } | undefined;
    }>;
  }> | undefined;
  readonly output?: {
    /** True: the answer has the exact number of all matches in `count`. */
    readonly get_count?: boolean | undefined;
    /** Default: created_at desc. Contacts without a value come last. Equal values are ordered by `contact_id`. */
    readonly sorting?: ReadonlyArray<{
      /** Config field or attribute. */
      readonly field: string;
      /** Default: asc. */
      readonly direction?: 'asc' | 'desc' | undefined;
    }> | undefined;
    readonly pagination?: {
      /** Default: 1. */
      readonly page?: number | undefined;
      /** Rows on a page. Default: 10. All values together can have up to 16,777,216 characters, so long texts can need smaller pages. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the previous answer. The page begins after its last row. Leave out `page`, and send the same filter and sorting. Another sorting is refused. Another filter is accepted: the answer then has its matches after the same position in the sorting. */
      readonly cursor?: string | undefined;
    } | undefined;
    readonly fields?: readonly string[] | undefined;
  } | undefined;
  /** The same as `output.get_count`. Older clients send it here. */
  readonly get_count?: boolean | undefined;
}

/** The second step of a sign-in. */
export interface SecondFactorBody {
  /** A code of the authenticator app, or a recovery code. */
  readonly code: string;
}

/** A link that works once. */
export interface SecretLink {
  /** The link. It is shown only in this answer. */
  readonly link: string;
}

/** A segment: a saved filter that is evaluated when it is used. */
export interface Segment {
  /** Number of the list or segment. Lists and segments of an account share one sequence of numbers. */
  readonly audience_id: number;
  /** Name for people. It does not have to be unique. */
  readonly name: string;
  readonly audience_type: 'segment';
  /** Combines the groups. Required when there is more than one. */
  readonly filtering_criteria_operator: 'and' | 'or';
  /** Groups of conditions. Absent or empty: all contacts of the account. */
  readonly filtering_criteria: ReadonlyArray<{
    /** Combines the conditions of the group. Default: `and`. */
    readonly condition_operator?: 'and' | 'or' | undefined;
    readonly condition_details: ReadonlyArray<{
      /** Name of a config field, an audience field or an attribute, in any letter case. `activity` for the activities of the contact. */
      readonly field: string;
      /** `equals`, `not_equals`, `equals_ignore_case`, `not_equals_ignore_case`, `contains`, `not_contains`, `starts_with`, `ends_with`, `greater_than`, `greater_than_or_equal`, `less_than`, `less_than_or_equal`, `between`, `in_last`, `not_in_last`, `in_next`, `anniversary`, `anniversary_in_next`, `is_null` or `is_not_null`. For the field `activity`: `at_least`, `at_most`, `exactly` or `never`. */
      readonly operation: string;
      /** Values to compare with. A single value can be sent without the array. For dates and date-times, also relative dates, such as `today`, `-30 days` or `this month`. For `in_last` and similar operations, a length of time, such as `30 days`. For the field `activity`, how often it happened, such as 1. */
      readonly value?: ReadonlyArray<string | number | boolean> | undefined;
      /** Optional. The service finds the category by the name of the field. */
      readonly field_category?: 'config' | 'audience' | 'attribute' | 'derived' | 'activity' | undefined;
      /** Only for the field `activity`. What happened: one of these. Default: anything, also `sent`. */
      readonly activity?: ReadonlyArray<'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam'> | undefined;
      /** Only for the field `activity`. On one of these channels. Default: on any. */
      readonly channel?: ReadonlyArray<'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push'> | undefined;
      /** Only for the field `activity`. With one of these messages. Default: with any. */
      readonly message_id?: readonly number[] | undefined;
      /** Only for the field `activity`. With a message of one of these names, instead of `message_id`. The name that the activity was recorded with counts, and the latest name of its message. */
      readonly message_name?: readonly string[] | undefined;
      /** Only for the field `activity`. When they happened. Default: at any time that the account keeps. */
      readonly when?: {
        /** `in_last`, `not_in_last`, `equals`, `less_than`, `less_than_or_equal`, `greater_than`, `greater_than_or_equal`, `between`. The same as for a date-time field. */
        readonly operation: string;
        /** A length of time, such as `30 days`, for `in_last` and `not_in_last`. For the other operations: dates, date-times or relative dates, such as `today`, `-30 days` or `last month`. */
        readonly value?: ReadonlyArray<string | number | boolean> | undefined;
      } | undefined;
    }>;
  }>;
  /** True: a condition uses an attribute that is masked for the caller. Its values are shown as `****`, so the caller cannot send this filter in a request. */
  readonly has_masked_conditions: boolean;
  /** How the segment follows changes. Null: the segment is not live. */
  readonly live: LiveSegment | null;
  /** What uses it now: the first 20 uses that the caller may read. Segments need `segments:read`, exports and schedules `exports:read`, event subscriptions `callbacks:read`, and imports `imports:read`. */
  readonly uses: readonly AudienceUse[];
  /** Number of all uses, also those that the caller may not read. */
  readonly use_count: number;
  /** When it was created. */
  readonly created_at: string;
  /** When its definition was changed last. */
  readonly updated_at: string;
}

/** A contact that entered or left a live segment. */
export interface SegmentChange {
  /** The contact. It may have been deleted since. */
  readonly contact_id: number;
  /** What the contact did. */
  readonly change: 'entered' | 'left';
  /** `filled`: the segment became live, or all contacts were evaluated again, such as after a change of its filter. `changed`: the contact or its activities changed. `date`: time passed. */
  readonly cause: 'filled' | 'changed' | 'date';
  /** When the segment followed. */
  readonly occurred_at: string;
}

/** The number of contacts in a segment now. */
export interface SegmentCount {
  /** Number of the list or segment. Lists and segments of an account share one sequence of numbers. */
  readonly audience_id: number;
  readonly count: number;
}

/** A segment with its filter and the number of its contacts. */
export interface SegmentDetail {
  /** Number of the list or segment. Lists and segments of an account share one sequence of numbers. */
  readonly audience_id: number;
  /** Name for people. It does not have to be unique. */
  readonly name: string;
  readonly audience_type: 'segment';
  /** Combines the groups. Required when there is more than one. */
  readonly filtering_criteria_operator: 'and' | 'or';
  /** Groups of conditions. Absent or empty: all contacts of the account. */
  readonly filtering_criteria: ReadonlyArray<{
    /** Combines the conditions of the group. Default: `and`. */
    readonly condition_operator?: 'and' | 'or' | undefined;
    readonly condition_details: ReadonlyArray<{
      /** Name of a config field, an audience field or an attribute, in any letter case. `activity` for the activities of the contact. */
      readonly field: string;
      /** `equals`, `not_equals`, `equals_ignore_case`, `not_equals_ignore_case`, `contains`, `not_contains`, `starts_with`, `ends_with`, `greater_than`, `greater_than_or_equal`, `less_than`, `less_than_or_equal`, `between`, `in_last`, `not_in_last`, `in_next`, `anniversary`, `anniversary_in_next`, `is_null` or `is_not_null`. For the field `activity`: `at_least`, `at_most`, `exactly` or `never`. */
      readonly operation: string;
      /** Values to compare with. A single value can be sent without the array. For dates and date-times, also relative dates, such as `today`, `-30 days` or `this month`. For `in_last` and similar operations, a length of time, such as `30 days`. For the field `activity`, how often it happened, such as 1. */
      readonly value?: ReadonlyArray<string | number | boolean> | undefined;
      /** Optional. The service finds the category by the name of the field. */
      readonly field_category?: 'config' | 'audience' | 'attribute' | 'derived' | 'activity' | undefined;
      /** Only for the field `activity`. What happened: one of these. Default: anything, also `sent`. */
      readonly activity?: ReadonlyArray<'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam'> | undefined;
      /** Only for the field `activity`. On one of these channels. Default: on any. */
      readonly channel?: ReadonlyArray<'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push'> | undefined;
      /** Only for the field `activity`. With one of these messages. Default: with any. */
      readonly message_id?: readonly number[] | undefined;
      /** Only for the field `activity`. With a message of one of these names, instead of `message_id`. The name that the activity was recorded with counts, and the latest name of its message. */
      readonly message_name?: readonly string[] | undefined;
      /** Only for the field `activity`. When they happened. Default: at any time that the account keeps. */
      readonly when?: {
        /** `in_last`, `not_in_last`, `equals`, `less_than`, `less_than_or_equal`, `greater_than`, `greater_than_or_equal`, `between`. The same as for a date-time field. */
        readonly operation: string;
        /** A length of time, such as `30 days`, for `in_last` and `not_in_last`. For the other operations: dates, date-times or relative dates, such as `today`, `-30 days` or `last month`. */
        readonly value?: ReadonlyArray<string | number | boolean> | undefined;
      } | undefined;
    }>;
  }>;
  /** True: a condition uses an attribute that is masked for the caller. Its values are shown as `****`, so the caller cannot send this filter in a request. */
  readonly has_masked_conditions: boolean;
  /** How the segment follows changes. Null: the segment is not live. */
  readonly live: LiveSegment | null;
  /** What uses it now: the first 20 uses that the caller may read. Segments need `segments:read`, exports and schedules `exports:read`, event subscriptions `callbacks:read`, and imports `imports:read`. */
  readonly uses: readonly AudienceUse[];
  /** Number of all uses, also those that the caller may not read. */
  readonly use_count: number;
  /** When it was created. */
  readonly created_at: string;
  /** When its definition was changed last. */
  readonly updated_at: string;
  /** Number of contacts in the segment now. Null when the segment cannot be evaluated. **Count a segment** then says why. */
  readonly contact_count: number | null;
}

/** How many contacts a segment had, day by day. */
export interface SegmentGrowth {
  /** Number of the segment. */
  readonly audience_id: number;
  /** Time zone of the account, in which days begin. */
  readonly time_zone: string;
  /** First day. */
  readonly from: string;
  /** Last day. */
  readonly to: string;
  /** The days on which the segment was counted, the oldest first. Other days are left out. */
  readonly days: ReadonlyArray<{
    /** The day in the time zone that the account had then. */
    readonly day: string;
    /** Contacts that matched the segment when the day began, or as soon after it as a worker ran. */
    readonly contacts: number;
  }>;
  /** Entries and departures of a live segment, the oldest day first. Days without any are left out. Empty if the segment is not live. */
  readonly live_days: ReadonlyArray<{
    /** The day in the time zone that the account had then. */
    readonly day: string;
    /** Number of entries. */
    readonly entered: number;
    /** Number of departures. */
    readonly left: number;
  }>;
}

/** `SegmentGrowthQuery` of the interface; /docs of a running service describes it. */
export interface SegmentGrowthQuery {
  /** First day, `YYYY-MM-DD`, in the time zone of the account. Default: 30 days up to today. An answer has at most 400 days. */
  readonly from?: string | undefined;
}

/** Who is signed in, and what the sign-in page offers. */
export interface Session {
  /** Null: nobody is signed in. */
  readonly person: {
    readonly user_id: number;
    /** Name for people. */
    readonly name: string;
    /** Address for signing in. */
    readonly email: string;
    /** Language of the console. Null: the language of the browser. */
    readonly language: 'en' | 'de' | null;
    /** True: the person sees and manages all accounts. */
    readonly is_installation_admin: boolean;
    /** False: the person signs in with a passkey or single sign-on. */
    readonly has_password: boolean;
    /** True: the sign-in with a password also needs a code. */
    readonly has_second_factor: boolean;
    /** Accounts with a role. */
    readonly accounts: ReadonlyArray<{
      readonly account_id: number;
      /** Name of the account. */
      readonly name: string;
      /** Role of the person in the account. */
      readonly role: 'owner' | 'admin' | 'editor' | 'viewer' | 'privacy';
      /** True: the person sees the values of masked attributes. */
      readonly unmasked: boolean;
      /** What the person may do in the account. It has `unmasked` if that is granted. */
      readonly permissions: ReadonlyArray<'contacts:read' | 'contacts:write' | 'attributes:read' | 'attributes:write' | 'lists:read' | 'lists:write' | 'segments:read' | 'segments:write' | 'imports:read' | 'imports:write' | 'export' | 'exports:read' | 'activity:read' | 'activity:write' | 'events:read' | 'requests:read' | 'privacy:write' | 'unmasked' | 'account:read' | 'account:write' | 'account:delete' | 'api-keys:read' | 'api-keys:write' | 'members:read' | 'members:write' | 'callbacks:read' | 'callbacks:write' | 'mails:read' | 'privacy:read' | 'audit-log:read'>;
    }>;
  } | null;
  /** True: there is no owner yet. The service prints a link that creates the owner. */
  readonly needs_set_up: boolean;
  /** The identity provider. Null: there is none. */
  readonly single_sign_on: {
    readonly name: string;
  } | null;
  /** Address of the service in links and at the identity provider. Null: `ROSTER_PUBLIC_URL` is not set. */
  readonly public_url: string | null;
  /** True: the service can send mails, such as links for a new password. */
  readonly mail: boolean;
}

/** The first owner of the installation. */
export interface SetUpBody {
  /** The part of the link after `#token=`. */
  readonly token: string;
  /** Name for people. */
  readonly name: string;
  /** Address for signing in. */
  readonly email: string;
  /** The new password: 10 to 200 characters. It must not be the e-mail address. */
  readonly password: string;
}

/** How the sign-in continues. */
export interface SignInAnswer {
  /** `second_factor`: the password is right. Send a code within ten minutes. */
  readonly status: 'signed_in' | 'second_factor';
}

/** A sign-in with a password. */
export interface SignInBody {
  /** The e-mail address. */
  readonly email: string;
  /** The password. */
  readonly password: string;
}

/** A sign-up that waits for its confirmation. */
export interface SignUp {
  readonly sign_up_id: string;
  /** The request that creates the contact. */
  readonly request_id: string;
  /** When the link expires. */
  readonly expires_at: string;
}

/** The person who is signed in. */
export interface SignedInPerson {
  readonly user_id: number;
  /** Name for people. */
  readonly name: string;
  /** Address for signing in. */
  readonly email: string;
  /** Language of the console. Null: the language of the browser. */
  readonly language: 'en' | 'de' | null;
  /** True: the person sees and manages all accounts. */
  readonly is_installation_admin: boolean;
  /** False: the person signs in with a passkey or single sign-on. */
  readonly has_password: boolean;
  /** True: the sign-in with a password also needs a code. */
  readonly has_second_factor: boolean;
  /** Accounts with a role. */
  readonly accounts: ReadonlyArray<{
    readonly account_id: number;
    /** Name of the account. */
    readonly name: string;
    /** Role of the person in the account. */
    readonly role: 'owner' | 'admin' | 'editor' | 'viewer' | 'privacy';
    /** True: the person sees the values of masked attributes. */
    readonly unmasked: boolean;
    /** What the person may do in the account. It has `unmasked` if that is granted. */
    readonly permissions: ReadonlyArray<'contacts:read' | 'contacts:write' | 'attributes:read' | 'attributes:write' | 'lists:read' | 'lists:write' | 'segments:read' | 'segments:write' | 'imports:read' | 'imports:write' | 'export' | 'exports:read' | 'activity:read' | 'activity:write' | 'events:read' | 'requests:read' | 'privacy:write' | 'unmasked' | 'account:read' | 'account:write' | 'account:delete' | 'api-keys:read' | 'api-keys:write' | 'members:read' | 'members:write' | 'callbacks:read' | 'callbacks:write' | 'mails:read' | 'privacy:read' | 'audit-log:read'>;
  }>;
}

/** The secret that signs the callbacks of an account. */
export interface SigningSecret {
  /** Key of the HMAC. For `X-Roster-Signature`, use the text as it is. */
  readonly secret: string;
  /** When the secret was created. */
  readonly created_at: string;
  /** The previous secret. It also signs callbacks for 24 hours after a rotation. Null at other times. */
  readonly previous: {
    readonly secret: string;
    /** When it stops signing callbacks. */
    readonly expires_at: string;
  } | null;
}

/** The version and state of the installation. */
export interface System {
  /** Version of Roster. */
  readonly version: string;
  /** Version of Node.js. */
  readonly node_version: string;
  readonly database: {
    /** Version of PostgreSQL. */
    readonly version: string;
    /** Size of the database in bytes, with the nodes of a cluster that respond. */
    readonly size: number;
    /** Open connections to the database. */
    readonly connections: number;
    /** Maximum number of connections. */
    readonly max_connections: number;
  };
  /** The disk with the data directory of the process that answers. */
  readonly disk: {
    /** Size in bytes. */
    readonly total: number;
    /** Free bytes. */
    readonly free: number;
  };
  readonly files: {
    /** Where the files of exports and imports are. */
    readonly place: 'disk' | 's3';
  };
  readonly processes: {
    /** Running API processes. */
    readonly api: number;
    /** Running worker processes. */
    readonly workers: number;
  };
  readonly pipeline: {
    /** Requests that wait in the pipeline, of all accounts. At most 10,000. */
    readonly waiting_requests: number;
    /** When the oldest of them was accepted. */
    readonly oldest_waiting: string | null;
    /** The accounts whose oldest request has waited the longest, at most ten. */
    readonly waiting_accounts: ReadonlyArray<{
      readonly account_id: number;
      readonly name: string;
      /** Setting of the account: how many parts of its contacts workers can serve at a time. */
      readonly buckets: number;
      /** Its requests that wait. At most 10,000. */
      readonly waiting_requests: number;
      /** When the oldest of them was accepted. */
      readonly oldest_waiting: string;
    }>;
  };
  /** The last backups, newest first. */
  readonly backups: ReadonlyArray<{
    readonly kind: 'database' | 'files';
    readonly status: 'running' | 'completed' | 'failed';
    readonly name: string;
    readonly started_at: string;
    /** When it ended. */
    readonly finished_at: string | null;
    /** Size in bytes. */
    readonly size: number | null;
    /** Why it failed. */
    readonly error: string | null;
  }>;
  /** True if `ROSTER_BACKUP_SCHEDULE` is set. */
  readonly backups_are_scheduled: boolean;
}

/** Something that happened to a contact. */
export interface TimelineEntry {
  /** `request`: a request named the contact, and perhaps changed it. `activity`: something was sent, or the person did something. The others are changes of the contact. */
  readonly kind: 'created' | 'request' | 'activity' | 'type_changed' | 'identity_changed' | 'opted_out' | 'opted_in';
  /** When it happened. Requests and changes have the time at which the request was accepted. */
  readonly occurred_at: string;
  /** The request, or the request that made the change. Null for `activity` and `created`. */
  readonly request: {
    readonly request_id: string;
    /** Kind of the request. Null when the request is no longer kept. */
    readonly operation: string | null;
    readonly status: 'done' | 'failed' | null;
    /** Items of the whole request. */
    readonly total: number | null;
    /** Items of the whole request that were not applied. */
    readonly failed: number | null;
  } | null;
  /** Only for `activity`. */
  readonly activity: {
    readonly channel: 'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push';
    readonly activity: 'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam';
    readonly message_id: number | null;
    /** Name of the message. */
    readonly msg_name: string | null;
    readonly bounce_type: 'hard' | 'soft' | null;
    /** IP address of the person. */
    readonly ip: string | null;
    /** Device of the person. */
    readonly device: string | null;
    /** Operating system of the person. */
    readonly os: string | null;
    /** Browser of the person. */
    readonly browser: string | null;
    /** The link that was clicked. */
    readonly link: string | null;
  } | null;
  /** Only for `type_changed`, `identity_changed`, `opted_out` and `opted_in`. */
  readonly change: {
    /** The type or identity before. */
    readonly from: string | null;
    /** The type or identity after. */
    readonly to: string | null;
    /** The channel of an opt-out or opt-in. */
    readonly channel: 'email' | 'sms' | 'whatsapp' | null;
    /** `created`: from the start. `identity`: an anonymous contact got an identity. `verification`: the link of a sign-up was used. `opt-out`, `opt-in`: on the channel email. `block`, `unblock`: an operator did it. Null when it happened before Roster stored causes. */
    readonly cause: 'created' | 'identity' | 'verification' | 'opt-out' | 'opt-in' | 'block' | 'unblock' | null;
    /** The kind of the activity that opted the contact out. Null when a request did it. */
    readonly activity: 'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam' | null;
  } | null;
}

/** Changes of an account. Fields that are absent do not change. */
export interface UpdateAccountBody {
  /** Name for people. It does not have to be unique. */
  readonly name?: string | undefined;
  /** Attribute that identifies a contact: `EMAIL`, `MOBILE`, or the name of a custom text attribute. The attribute is created if it does not exist. It can change only while the account has no contacts and no waiting requests. */
  readonly primary_key?: string | undefined;
  /** IANA name of the time zone of the account. It defines when a day begins. */
  readonly time_zone?: string | undefined;
  readonly settings?: {
    /** True: a create request with an existing identity is refused as a whole, with 400. Default: false. */
    readonly reject_existing_contacts?: boolean | null | undefined;
    /** True: contacts and activities of erased people fail with `contact_forgotten`. `DELETE …/contacts/{contact_id}?mode=erase` erases a person. Default: true. */
    readonly reject_forgotten_contacts?: boolean | null | undefined;
    /** True: an unknown attribute name in a contact creates the attribute, with the data type of its first value. Default: false. */
    readonly auto_create_attributes?: boolean | null | undefined;
    /** True: in exports, a cell that a spreadsheet would read as a formula gets an apostrophe in front. Such a cell begins with =, +, -, @, their full-width forms, a tab or a line break, also after apostrophes. Values of number attributes do not change. The file gets a last column `roster:formula_guard`, so that an import can remove the apostrophes. False: files have the exact values. Default: false. */
    readonly csv_formula_guard?: boolean | null | undefined;
    /** Requests a minute that one API key can send to one process. 0: no limit. Null: the setting of the service. Default: null. */
    readonly rate_limit?: number | null | undefined;
    /** Months for which activities are kept, in addition to the current month. Whole months (UTC) are deleted. Older activities are refused and no longer shown. Default: 25. */
    readonly activity_retention_months?: number | null | undefined;
    /** Batch add requests (v3) that the account can send in a day, from midnight to midnight in its time zone. 0: none. Default: 100000. */
    readonly daily_batch_limit?: number | null | undefined;
    /** 1: the requests of the account are applied one after the other, in the order of acceptance. 16: the contacts are divided by their identities into buckets, which up to 16 workers serve at the same time. Then the order of acceptance holds for each contact, but not from one contact to another. For accounts with many millions of contacts. Default: 1. */
    readonly buckets?: 1 | 16 | null | undefined;
    /** True: each change of a contact is written to the event feed, from which other systems read. Default: false. */
    readonly events?: boolean | null | undefined;
    /** Days for which events are kept. Default: 7. */
    readonly event_retention_days?: number | null | undefined;
    /** True: the service keeps derived attributes of contacts, such as the last open and an engagement score. They are computed from the activities. Default: false. */
    readonly derived_attributes?: boolean | null | undefined;
  } | undefined;
}

/** The attributes after the change. */
export interface UpdateAttributesAnswer {
  /** Identifier of the request, a time-ordered UUID. */
  readonly request_id: string;
  readonly code: 200;
  readonly status: 'success';
  readonly description: string;
  readonly data: readonly AttributeRecord[];
}

/** Changes of attributes. Either all are applied, or none. */
export interface UpdateAttributesBody {
  readonly data: ReadonlyArray<{
    /** Number of the attribute. */
    readonly id?: number | undefined;
    /** Current name of the attribute. */
    readonly name?: string | undefined;
    /** New name. Values, segments and mappings stay. Renaming a masked attribute needs the scope `unmasked`. */
    readonly new_name?: string | undefined;
    /** `text`: up to 1,000 characters. `long_text`: up to 65,536 characters; it cannot be exported, and a search can only test whether it has a value. `number`: a finite double. `boolean`: true or false. `date`: `YYYY-MM-DD`. `datetime`: RFC 3339, stored in UTC. */
    readonly data_type?: 'text' | 'long_text' | 'number' | 'boolean' | 'date' | 'datetime' | undefined;
    /** Value for new contacts that have no value for the attribute. It must fit the data type. Null: no default. All default values of an account together can have up to 131,072 characters. */
    readonly default_value?: string | number | boolean | null | undefined;
    /** Name of a system attribute (FIRST_NAME, LAST_NAME, GENDER, BIRTH_DATE, CITY, STATE, COUNTRY, POSTAL_CODE, LANGUAGE, TIME_ZONE) of the same data type. Reading or writing that name then reads or writes this attribute. Only one attribute can be mapped to a system attribute. Null: no mapping. */
    readonly mapping?: string | null | undefined;
    /** How values are hidden from API keys without the scope `unmasked`. `none`: not hidden. `partial`: every character except the last four is `*`. A letter with its accents is one character. Values of up to eight characters are hidden completely. `full`: hidden completely. If two attributes are mapped, the mask that hides more applies. A mask that hides less than before needs the scope `unmasked`. A change of `mapping` with this effect needs it, too. */
    readonly data_masking?: 'none' | 'partial' | 'full' | undefined;
    /** Default: custom. */
    readonly category?: 'profile' | 'demographic' | 'location' | 'behaviour' | 'transaction' | 'preference' | 'custom' | undefined;
  }>;
}

/** A change of one contact. Fields that are absent do not change. */
export interface UpdateContactBody {
  /** Value of the account's primary key: 1 to 255 characters after trimming. A number is converted to its decimal text. With the primary key EMAIL or MOBILE, it also fills `email` or `mobile`. If both are sent and differ, the contact fails with `identity_mismatch`. */
  readonly identity?: string | number | undefined;
  /** E-mail address. Null clears it. */
  readonly email?: string | null | undefined;
  /** Mobile number with the country code: 6 to 15 digits, as text or as a number. A leading +, spaces and dashes are removed. Null clears it. */
  readonly mobile?: string | number | null | undefined;
  /** Attribute names and their values. They merge name by name into the contact. Null clears a value. A value that does not fit the data type is left out. So is a value of an unknown attribute. A value of more than 1,000 characters is left out if the contact would exceed 1,048,576 characters in total. EMAIL and MOBILE are refused here, because they are fields of the contact. */
  readonly attributes?: { readonly [name: string]: string | number | boolean | null } | undefined;
  /** Lists to add the contact to, or to remove it from. They are applied in order. */
  readonly audience_details?: ReadonlyArray<{
    /** One or more numbers of lists. A single number can be sent without the array. */
    readonly audience_id: readonly number[];
    readonly audience_type?: 'list' | undefined;
    /** Default: add. */
    readonly action?: 'add' | 'remove' | undefined;
  }> | undefined;
  /** For each channel: false opts the contact out, true opts it in again. `email: false` makes the contact `blacklisted`. `email: true` restores the type that a blacklisted contact had before. */
  readonly subscriptions?: {
    readonly email?: boolean | undefined;
    readonly sms?: boolean | undefined;
    readonly whatsapp?: boolean | undefined;
  } | undefined;
}

/** Changes of contacts. Fields that are absent do not change. */
export interface UpdateContactsBody {
  readonly data: {
    /** Type that every contact must have after the update. This is a check, not a change: only a new identity or a subscription in the item changes the type. A contact that would have another type fails with `contact_type_refused` and does not change. */
    readonly contact_type?: 'anonymous' | 'identified' | 'unconfirmed' | 'confirmed' | 'blacklisted' | undefined;
    readonly contacts: ReadonlyArray<{
      /** Number that the service gave to the contact. */
      readonly contact_id?: number | undefined;
      /** Value of the account's primary key: 1 to 255 characters after trimming. A number is converted to its decimal text. With the primary key EMAIL or MOBILE, it also fills `email` or `mobile`. If both are sent and differ, the contact fails with `identity_mismatch`. */
      readonly identity?: string | number | undefined;
      /** E-mail address. Null clears it. */
      readonly email?: string | null | undefined;
      /** Mobile number with the country code: 6 to 15 digits, as text or as a number. A leading +, spaces and dashes are removed. Null clears it. */
      readonly mobile?: string | number | null | undefined;
      /** Attribute names and their values. They merge name by name into the contact. Null clears a value. A value that does not fit the data type is left out. So is a value of an unknown attribute. A value of more than 1,000 characters is left out if the contact would exceed 1,048,576 characters in total. EMAIL and MOBILE are refused here, because they are fields of the contact. */
      readonly attributes?: { readonly [name: string]: string | number | boolean | null } | undefined;
      /** Lists to add the contact to, or to remove it from. They are applied in order. */
      readonly audience_details?: ReadonlyArray<{
        /** One or more numbers of lists. A single number can be sent without the array. */
        readonly audience_id: readonly number[];
        readonly audience_type?: 'list' | undefined;
        /** Default: add. */
        readonly action?: 'add' | 'remove' | undefined;
      }> | undefined;
      /** For each channel: false opts the contact out, true opts it in again. `email: false` makes the contact `blacklisted`. `email: true` restores the type that a blacklisted contact had before. */
      readonly subscriptions?: {
        readonly email?: boolean | undefined;
        readonly sms?: boolean | undefined;
        readonly whatsapp?: boolean | undefined;
      } | undefined;
    }>;
  };
}

/** Changes of a subscription. Absent fields stay as they are. */
export interface UpdateEventSubscriptionBody {
  /** Name for people. */
  readonly name?: string | undefined;
  /** HTTPS URL of the receiver. An operator can allow plain HTTP and internal addresses. */
  readonly url?: string | undefined;
  /** Null: events of all kinds. */
  readonly kinds?: ReadonlyArray<'contact.created' | 'contact.updated' | 'contact.deleted' | 'contact.erased' | 'contact.opted_out' | 'contact.opted_in' | 'contact.confirmed' | 'contact.blacklisted' | 'contact.unblacklisted' | 'contact.joined_list' | 'contact.left_list' | 'contact.entered_segment' | 'contact.left_segment' | 'segment.stopped' | 'list.deleted' | 'attribute.deleted' | 'import.completed' | 'import.failed' | 'import.cancelled' | 'export.completed' | 'export.failed' | 'export.cancelled' | 'events.stopped' | 'events.started'> | null | undefined;
  /** Null: no filter. */
  readonly filter?: {
    /** Combines the groups. Required when there is more than one. */
    readonly filtering_criteria_operator?: 'and' | 'or' | undefined;
    /** Groups of conditions. Absent or empty: all contacts of the account. */
    readonly filtering_criteria?: ReadonlyArray<{
      /** Combines the conditions of the group. Default: `and`. */
      readonly condition_operator?: 'and' | 'or' | undefined;
      readonly condition_details: ReadonlyArray<{
        /** Name of a config field, an audience field or an attribute, in any letter case. `activity` for the activities of the contact. */
        readonly field: string;
        /** `equals`, `not_equals`, `equals_ignore_case`, `not_equals_ignore_case`, `contains`, `not_contains`, `starts_with`, `ends_with`, `greater_than`, `greater_than_or_equal`, `less_than`, `less_than_or_equal`, `between`, `in_last`, `not_in_last`, `in_next`, `anniversary`, `anniversary_in_next`, `is_null` or `is_not_null`. For the field `activity`: `at_least`, `at_most`, `exactly` or `never`. */
        readonly operation: string;
        /** Values to compare with. A single value can be sent without the array. For dates and date-times, also relative dates, such as `today`, `-30 days` or `this month`. For `in_last` and similar operations, a length of time, such as `30 days`. For the field `activity`, how often it happened, such as 1. */
        readonly value?: ReadonlyArray<string | number | boolean> | undefined;
        /** Optional. The service finds the category by the name of the field. */
        readonly field_category?: 'config' | 'audience' | 'attribute' | 'derived' | 'activity' | undefined;
        /** Only for the field `activity`. What happened: one of these. Default: anything, also `sent`. */
        readonly activity?: ReadonlyArray<'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam'> | undefined;
        /** Only for the field `activity`. On one of these channels. Default: on any. */
        readonly channel?: ReadonlyArray<'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push'> | undefined;
        /** Only for the field `activity`. With one of these messages. Default: with any. */
        readonly message_id?: readonly number[] | undefined;
        /** Only for the field `activity`. With a message of one of these names, instead of `message_id`. The name that the activity was recorded with counts, and the latest name of its message. */
        readonly message_name?: readonly string[] | undefined;
        /** Only for the field `activity`. When they happened. Default: at any time that the account keeps. */
        readonly when?: {
          /** `in_last`, `not_in_last`, `equals`, `less_than`, `less_than_or_equal`, `greater_than`, `greater_than_or_equal`, `between`. The same as for a date-time field. */
          readonly operation: string;
          /** A length of time, such as `30 days`, for `in_last` and `not_in_last`. For the other operations: dates, date-times or relative dates, such as `today`, `-30 days` or `last month`. */
          readonly value?: ReadonlyArray<string | number | boolean> | undefined;
        } | undefined;
      }>;
    }> | undefined;
  } | null | undefined;
  /** Fields, attributes and derived attributes of the contact that each event has in `contact`, with their values when it is sent. Derived attributes need the permission `activity:read`. Default: none. */
  readonly fields?: readonly string[] | undefined;
  /** True: `contact` has unmasked values. The caller needs the permission `unmasked`. Default: false. */
  readonly unmasked?: boolean | undefined;
  /** Headers of each delivery. No answer shows their values, because they can be secrets. */
  readonly headers?: ReadonlyArray<{
    readonly name: string;
    readonly value: string;
  }> | undefined;
  /** Maximum number of events in a delivery. Default: 250. */
  readonly max_events?: number | undefined;
  /** What happens after the last attempt of a delivery. `pause`: the subscription is paused, and nothing is sent out of order. `continue`: the delivery becomes a dead letter, and the later events are sent. Default: pause. */
  readonly when_failed?: 'pause' | 'continue' | undefined;
  /** True: nothing is sent. False: sending continues after the last delivered event, and a failed delivery is retried at once. */
  readonly paused?: boolean | undefined;
}

/** Changes of a schedule. Absent fields stay as they are. An audience replaces a filter, and a filter replaces an audience. Every change enables a disabled schedule. */
export interface UpdateExportScheduleBody {
  /** Name for people. */
  readonly name?: string | undefined;
  /** Together with `audience_id`, and without `filter`. */
  readonly audience_type?: 'list' | 'segment' | undefined;
  /** Number of the list or segment. */
  readonly audience_id?: number | undefined;
  /** A filter of contact search, instead of an audience. `{}` selects all contacts. */
  readonly filter?: {
    /** Combines the groups. Required when there is more than one. */
    readonly filtering_criteria_operator?: 'and' | 'or' | undefined;
    /** Groups of conditions. Absent or empty: all contacts of the account. */
    readonly filtering_criteria?: ReadonlyArray<{
      /** Combines the conditions of the group. Default: `and`. */
      readonly condition_operator?: 'and' | 'or' | undefined;
      readonly condition_details: ReadonlyArray<{
        /** Name of a config field, an audience field or an attribute, in any letter case. `activity` for the activities of the contact. */
        readonly field: string;
        /** `equals`, `not_equals`, `equals_ignore_case`, `not_equals_ignore_case`, `contains`, `not_contains`, `starts_with`, `ends_with`, `greater_than`, `greater_than_or_equal`, `less_than`, `less_than_or_equal`, `between`, `in_last`, `not_in_last`, `in_next`, `anniversary`, `anniversary_in_next`, `is_null` or `is_not_null`. For the field `activity`: `at_least`, `at_most`, `exactly` or `never`. */
        readonly operation: string;
        /** Values to compare with. A single value can be sent without the array. For dates and date-times, also relative dates, such as `today`, `-30 days` or `this month`. For `in_last` and similar operations, a length of time, such as `30 days`. For the field `activity`, how often it happened, such as 1. */
        readonly value?: ReadonlyArray<string | number | boolean> | undefined;
        /** Optional. The service finds the category by the name of the field. */
        readonly field_category?: 'config' | 'audience' | 'attribute' | 'derived' | 'activity' | undefined;
        /** Only for the field `activity`. What happened: one of these. Default: anything, also `sent`. */
        readonly activity?: ReadonlyArray<'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam'> | undefined;
        /** Only for the field `activity`. On one of these channels. Default: on any. */
        readonly channel?: ReadonlyArray<'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push'> | undefined;
        /** Only for the field `activity`. With one of these messages. Default: with any. */
        readonly message_id?: readonly number[] | undefined;
        /** Only for the field `activity`. With a message of one of these names, instead of `message_id`. The name that the activity was recorded with counts, and the latest name of its message. */
        readonly message_name?: readonly string[] | undefined;
        /** Only for the field `activity`. When they happened. Default: at any time that the account keeps. */
        readonly when?: {
          /** `in_last`, `not_in_last`, `equals`, `less_than`, `less_than_or_equal`, `greater_than`, `greater_than_or_equal`, `between`. The same as for a date-time field. */
          readonly operation: string;
          /** A length of time, such as `30 days`, for `in_last` and `not_in_last`. For the other operations: dates, date-times or relative dates, such as `today`, `-30 days` or `last month`. */
          readonly value?: ReadonlyArray<string | number | boolean> | undefined;
        } | undefined;
      }>;
    }> | undefined;
  } | undefined;
  /** Columns of the file, in this order and with these names. A column is an attribute of the account, the primary key, `EMAIL`, `MOBILE`, `CONTACT_ID`, `CONTACT_TYPE`, `IDENTITY`, `CREATED_AT`, `UPDATED_AT`, `EMAIL_OPTED_OUT`, `SMS_OPTED_OUT` or `WHATSAPP_OPTED_OUT`. Mappings apply. A repeated name, in any letter case, is one column at its first place. Default: the primary key, `EMAIL`, `MOBILE`. */
  readonly attributes?: readonly string[] | undefined;
  /** Leaves out contacts that opted out. Null: no contact is left out. */
  readonly blocklist_type?: 'email' | 'mobile' | null | undefined;
  /** True: the file has the values of masked attributes. The caller needs the permission `unmasked`. Default: false. */
  readonly unmasked?: boolean | undefined;
  /** `gzip`: the file is a `.csv.gz`. Default: none. */
  readonly compression?: 'none' | 'gzip' | undefined;
  /** E-mail address for the mail at the end. Null: no mail. */
  readonly notify_email?: string | null | undefined;
  /** A new callback. Null: no callback. Absent: the callback stays, with its headers. */
  readonly callback?: {
    /** Default: POST. */
    readonly method?: 'POST' | 'PUT' | 'PATCH' | 'GET' | undefined;
    /** HTTPS URL. An operator can allow plain HTTP and internal addresses. */
    readonly url: string;
    /** Headers of the callback. No answer shows them, because they can be secrets. */
    readonly headers?: ReadonlyArray<{
      readonly name: string;
      readonly value: string;
    }> | undefined;
    /** Any object. The callback sends it back as `callbackBody`. Default: `{}`. */
    readonly body?: { readonly [name: string]: unknown } | undefined;
  } | null | undefined;
  /** When a schedule runs. */
  readonly timing?: {
    /** `day`: at `at`. `week`: on `weekdays` at `at`. `month`: on the day `day` at `at`. `cron`: at the times of the expression `cron`. */
    readonly every: 'day' | 'week' | 'month' | 'cron';
    /** Time of the day, `HH:MM`, in the time zone of the account. A time that a clock change skips is moved to the first moment after it. A time that a clock change repeats counts once. Required unless `every` is `cron`. */
    readonly at?: string | undefined;
    /** Required if `every` is `week`. */
    readonly weekdays?: ReadonlyArray<'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'> | undefined;
    /** Day of the month. In a shorter month, the last day. Required if `every` is `month`. */
    readonly day?: number | undefined;
    /** Five fields (minute, hour, day, month, weekday) in the time zone of the account. Required if `every` is `cron`. */
    readonly cron?: string | undefined;
  } | undefined;
  /** A place in S3. Null: the file store of the service. Without `secret`, the stored secret is kept. */
  readonly place?: {
    /** HTTPS address of S3 or of a compatible server. It must not lead to a private address, unless an operator allows the host with `ROSTER_CALLBACK_ALLOW`. */
    readonly endpoint: string;
    /** Default: us-east-1. */
    readonly region?: string | undefined;
    readonly bucket: string;
    /** Beginning of the names of the files, such as `roster/`. Default: none. */
    readonly prefix?: string | undefined;
    readonly key_id: string;
    /** The secret of the key. No answer shows it. Required, except in a change that keeps endpoint, bucket and key. */
    readonly secret?: string | undefined;
  } | null | undefined;
  /** Number of newest files that are kept. Older files are deleted. Files in S3 stay. Default: 7. */
  readonly keep_files?: number | undefined;
  /** True: the schedule does not run. Default: false. */
  readonly paused?: boolean | undefined;
}

/** Changes of a list. */
export interface UpdateListBody {
  /** Name for people. It does not have to be unique. */
  readonly name?: string | undefined;
}

/** Changes of a member. Fields that are absent do not change. */
export interface UpdateMemberBody {
  /** Role in the account. */
  readonly role?: 'owner' | 'admin' | 'editor' | 'viewer' | 'privacy' | undefined;
  /** True: the person sees the values of masked attributes. */
  readonly unmasked?: boolean | undefined;
}

/** Adds or removes the index of an attribute. */
export interface UpdateOperatorAttributeBody {
  /** True: add an index. False: remove it. */
  readonly indexed: boolean;
}

/** Changes of the own profile. Fields that are absent do not change. */
export interface UpdateOwnProfileBody {
  /** Name for people. */
  readonly name?: string | undefined;
  /** Language of the console. Null: the language of the browser. */
  readonly language?: 'en' | 'de' | null | undefined;
}

/** Changes of a saved view. Absent fields stay as they are. */
export interface UpdateSavedViewBody {
  /** Name for people. It does not have to be unique. */
  readonly name?: string | undefined;
  /** The state of the page, as in its address. Callers without the permission `unmasked` see `****` instead of the values of conditions on masked fields. At most 16384 bytes of JSON. */
  readonly state?: { readonly [name: string]: unknown } | undefined;
  /** True: everyone in the account sees the view. Needs the permission `segments:write`. Required for callers that are not people. Default: false. */
  readonly shared?: boolean | undefined;
}

/** Changes of a segment. Fields that are absent do not change. */
export interface UpdateSegmentBody {
  /** Name for people. It does not have to be unique. */
  readonly name?: string | undefined;
  /** Combines the groups. Required when there is more than one. */
  readonly filtering_criteria_operator?: 'and' | 'or' | undefined;
  /** Groups of conditions. Absent or empty: all contacts of the account. */
  readonly filtering_criteria?: ReadonlyArray<{
    /** Combines the conditions of the group. Default: `and`. */
    readonly condition_operator?: 'and' | 'or' | undefined;
    readonly condition_details: ReadonlyArray<{
      /** Name of a config field, an audience field or an attribute, in any letter case. `activity` for the activities of the contact. */
      readonly field: string;
      /** `equals`, `not_equals`, `equals_ignore_case`, `not_equals_ignore_case`, `contains`, `not_contains`, `starts_with`, `ends_with`, `greater_than`, `greater_than_or_equal`, `less_than`, `less_than_or_equal`, `between`, `in_last`, `not_in_last`, `in_next`, `anniversary`, `anniversary_in_next`, `is_null` or `is_not_null`. For the field `activity`: `at_least`, `at_most`, `exactly` or `never`. */
      readonly operation: string;
      /** Values to compare with. A single value can be sent without the array. For dates and date-times, also relative dates, such as `today`, `-30 days` or `this month`. For `in_last` and similar operations, a length of time, such as `30 days`. For the field `activity`, how often it happened, such as 1. */
      readonly value?: ReadonlyArray<string | number | boolean> | undefined;
      /** Optional. The service finds the category by the name of the field. */
      readonly field_category?: 'config' | 'audience' | 'attribute' | 'derived' | 'activity' | undefined;
      /** Only for the field `activity`. What happened: one of these. Default: anything, also `sent`. */
      readonly activity?: ReadonlyArray<'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam'> | undefined;
      /** Only for the field `activity`. On one of these channels. Default: on any. */
      readonly channel?: ReadonlyArray<'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push'> | undefined;
      /** Only for the field `activity`. With one of these messages. Default: with any. */
      readonly message_id?: readonly number[] | undefined;
      /** Only for the field `activity`. With a message of one of these names, instead of `message_id`. The name that the activity was recorded with counts, and the latest name of its message. */
      readonly message_name?: readonly string[] | undefined;
      /** Only for the field `activity`. When they happened. Default: at any time that the account keeps. */
      readonly when?: {
        /** `in_last`, `not_in_last`, `equals`, `less_than`, `less_than_or_equal`, `greater_than`, `greater_than_or_equal`, `between`. The same as for a date-time field. */
        readonly operation: string;
        /** A length of time, such as `30 days`, for `in_last` and `not_in_last`. For the other operations: dates, date-times or relative dates, such as `today`, `-30 days` or `last month`. */
        readonly value?: ReadonlyArray<string | number | boolean> | undefined;
      } | undefined;
    }>;
  }> | undefined;
  /** True: the members are stored, follow every change within seconds, and their entries and departures are recorded. An account can have up to 20 live segments. */
  readonly live?: boolean | undefined;
}

/** Changes of a user. Fields that are absent do not change. */
export interface UpdateUserBody {
  /** True: the person cannot sign in any more. */
  readonly is_disabled?: boolean | undefined;
  /** True: the person sees and manages all accounts. */
  readonly is_installation_admin?: boolean | undefined;
}

/** A user of the installation. */
export interface User {
  readonly user_id: number;
  /** Name for people. */
  readonly name: string;
  /** Address for signing in. */
  readonly email: string;
  /** True: the person sees and manages all accounts. */
  readonly is_installation_admin: boolean;
  /** True: the person cannot sign in. */
  readonly is_disabled: boolean;
  /** True: the person has an authenticator app or a passkey. */
  readonly has_second_factor: boolean;
  /** False: the person uses single sign-on. */
  readonly has_password: boolean;
  /** The accounts in which the person has a role. */
  readonly accounts: ReadonlyArray<{
    readonly account_id: number;
    readonly name: string;
    /** Role in the account. */
    readonly role: 'owner' | 'admin' | 'editor' | 'viewer' | 'privacy';
    /** True: the person sees the values of masked attributes. */
    readonly unmasked: boolean;
  }>;
  /** Number of open sessions. */
  readonly session_count: number;
  readonly last_seen_at: string | null;
  /** When the user was created. */
  readonly created_at: string;
}

/** One activity of a person. */
export interface UserActivity {
  readonly activity: 'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam';
  readonly message_id?: number | undefined;
  readonly msg_name?: string | undefined;
  /** When it happened, in the time zone of the account. */
  readonly activity_date: string;
  /** Present for `open`, `click`, `unsubscribe` and `spam`, if the value is known. */
  readonly ip?: string | undefined;
  /** Present for `open`, `click`, `unsubscribe` and `spam`, if the value is known. */
  readonly device?: string | undefined;
  /** Present for `open`, `click`, `unsubscribe` and `spam`, if the value is known. */
  readonly os?: string | undefined;
  /** Present for `open`, `click`, `unsubscribe` and `spam`, if the value is known. */
  readonly browser?: string | undefined;
  /** Only for `click`. */
  readonly link?: string | undefined;
}

/** The activity of a person. */
export interface UserActivityAnswer {
  readonly status: 'success';
  readonly result: {
    /** Newest first. */
    readonly channel_activity: readonly UserActivity[];
    readonly from_date: string;
    readonly to_date: string;
    readonly channel: 'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push';
  };
  readonly details: string;
}

/** The parameters of the request. All of them can also be in the query. */
export interface UserActivityBody {
  /** The object with `primary_key`, `channel`, `from_date` and `to_date`. `fromdate` and `todate` are accepted, too. */
  readonly data: string | UserActivityData;
  /** Always `export_data`. */
  readonly type?: 'export_data' | undefined;
  /** Always `get_user_channel_activity_data`. */
  readonly activity?: 'get_user_channel_activity_data' | undefined;
  /** The API key, unless it is in the query. */
  readonly apikey?: string | undefined;
}

/** The person, the channel and the days of the activities to return. */
export interface UserActivityData {
  /** Value of the account's primary key. */
  readonly primary_key: string | number;
  readonly channel: 'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push';
  /** First day of the period, DDMMYYYY, in the time zone of the account. */
  readonly from_date: string;
  /** Last day of the period, DDMMYYYY, in the time zone of the account. A period has up to 7 days. */
  readonly to_date: string;
}

/** An error of apiv2. */
export interface UserActivityErrorAnswer {
  readonly status: 'error';
  /** Kind of the error. */
  readonly result: string;
  /** What is wrong and what to do. Each fault of the request is one sentence. */
  readonly details: string;
}

/** `UserActivityQuery` of the interface; /docs of a running service describes it. */
export interface UserActivityQuery {
  /** Always `export_data`. */
  readonly type?: 'export_data' | undefined;
  /** Always `get_user_channel_activity_data`. */
  readonly activity?: 'get_user_channel_activity_data' | undefined;
}

/** What became of the request. Present if the caller sent `Prefer: wait=N` and the request was applied in time. `counts`, `failures` and `failures_truncated` need the permission `requests:read`. */
export interface WaitedOutcome {
  /** `done`: was applied, perhaps with failed items. `failed`: could not be applied as a whole. */
  readonly status: 'done' | 'failed';
  readonly finished_at: string;
  /** When the request is finished, total = created + updated + unchanged + deleted + failed. Before that, all counts except `total` are 0. */
  readonly counts?: {
    /** Items of the request. */
    readonly total: number;
    /** Created contacts, attributes or activities. */
    readonly created: number;
    /** Changed contacts or attributes. */
    readonly updated: number;
    /** Items that changed nothing, for example because the contact already had these values. */
    readonly unchanged: number;
    /** Deleted contacts or attributes. */
    readonly deleted: number;
    /** Items that were not applied. `failures` says why. */
    readonly failed: number;
    /** Parts of items that were left out while the rest was applied. `failures` lists the first 100 of an item and the first 1000 of a request. */
    readonly warnings: number;
  } | undefined;
  /** The failures and warnings in the order of the items, up to 1000. Empty if there are none. */
  readonly failures?: readonly RequestFailure[] | undefined;
  /** True if there are more failures. Get them with the operation that returns a request. */
  readonly failures_truncated?: boolean | undefined;
}

/** A sign-up whose link was not used yet. */
export interface WaitingSignUp {
  readonly sign_up_id: string;
  /** The address that got the link. Masked like EMAIL for callers without the permission `unmasked`. */
  readonly email: string | null;
  /** When the person signed up. */
  readonly created_at: string;
  /** When the link expires. */
  readonly expires_at: string;
}

/** The bodies and answers of operations, by their names. */
export interface Shapes {
  AcceptInvitationBody: AcceptInvitationBody;
  AcceptedAnswer: AcceptedAnswer;
  Account: Account;
  AccountDeletion: AccountDeletion;
  AccountDetail: AccountDetail;
  AccountEvent: AccountEvent;
  AccountSettings: AccountSettings;
  ActivityStatistics: ActivityStatistics;
  AddPasskeyBody: AddPasskeyBody;
  ApiKey: ApiKey;
  AttributeRecord: AttributeRecord;
  AttributeUsage: AttributeUsage;
  AttributeUsageAnswer: AttributeUsageAnswer;
  AttributeUsageBody: AttributeUsageBody;
  AttributeUse: AttributeUse;
  AttributeValues: AttributeValues;
  AudienceUse: AudienceUse;
  AuditLogEntry: AuditLogEntry;
  AuthenticatorSecret: AuthenticatorSecret;
  BatchAddAnswer: BatchAddAnswer;
  BatchAddBody: BatchAddBody;
  BatchAddErrorAnswer: BatchAddErrorAnswer;
  BatchAddReport: BatchAddReport;
  BlacklistContactsAnswer: BlacklistContactsAnswer;
  BlacklistContactsBody: BlacklistContactsBody;
  BulkChange: BulkChange;
  BulkChangeFailure: BulkChangeFailure;
  ChangePasswordBody: ChangePasswordBody;
  CompletePasswordResetBody: CompletePasswordResetBody;
  ConfirmAuthenticatorBody: ConfirmAuthenticatorBody;
  ConfirmationBody: ConfirmationBody;
  ContactChanged: ContactChanged;
  ContactGrowth: ContactGrowth;
  ContactProfile: ContactProfile;
  ContactTimeline: ContactTimeline;
  ContactTypeAnswer: ContactTypeAnswer;
  CreateAccountBody: CreateAccountBody;
  CreateApiKeyBody: CreateApiKeyBody;
  CreateAttributesBody: CreateAttributesBody;
  CreateBulkChangeBody: CreateBulkChangeBody;
  CreateContactsBody: CreateContactsBody;
  CreateEventSubscriptionBody: CreateEventSubscriptionBody;
  CreateExportBody: CreateExportBody;
  CreateExportScheduleBody: CreateExportScheduleBody;
  CreateImportBody: CreateImportBody;
  CreateInvitationBody: CreateInvitationBody;
  CreateListBody: CreateListBody;
  CreatePersonalTokenBody: CreatePersonalTokenBody;
  CreateSavedViewBody: CreateSavedViewBody;
  CreateSegmentBody: CreateSegmentBody;
  CreateSignUpBody: CreateSignUpBody;
  CreatedAccount: CreatedAccount;
  CreatedApiKey: CreatedApiKey;
  CreatedEventSubscription: CreatedEventSubscription;
  CreatedInvitation: CreatedInvitation;
  CreatedPersonalToken: CreatedPersonalToken;
  DeleteAttributesBody: DeleteAttributesBody;
  DeleteContactsBody: DeleteContactsBody;
  Delivery: Delivery;
  DeliveryAttempt: DeliveryAttempt;
  DeliveryDetail: DeliveryDetail;
  DerivedAttribute: DerivedAttribute;
  DerivedAttributes: DerivedAttributes;
  Erasure: Erasure;
  ErrorAnswer: ErrorAnswer;
  ErrorEntry: ErrorEntry;
  EventDelivery: EventDelivery;
  EventPage: EventPage;
  EventSubscription: EventSubscription;
  EventSubscriptionSecret: EventSubscriptionSecret;
  EventTestResult: EventTestResult;
  Export: Export;
  ExportAcceptedAnswer: ExportAcceptedAnswer;
  ExportAudienceBody: ExportAudienceBody;
  ExportErrorAnswer: ExportErrorAnswer;
  ExportFilter: ExportFilter;
  ExportPreview: ExportPreview;
  ExportReport: ExportReport;
  ExportSchedule: ExportSchedule;
  ExportScheduleRun: ExportScheduleRun;
  FindContactsAnswer: FindContactsAnswer;
  Forgotten: Forgotten;
  FoundContact: FoundContact;
  GetRequestAnswer: GetRequestAnswer;
  Import: Import;
  ImportColumn: ImportColumn;
  ImportFailureRow: ImportFailureRow;
  Invitation: Invitation;
  InvitationOffer: InvitationOffer;
  InvitationTokenBody: InvitationTokenBody;
  LeaveAccountBody: LeaveAccountBody;
  List: List;
  ListAudiencesAnswer: ListAudiencesAnswer;
  ListAudiencesBody: ListAudiencesBody;
  ListGrowth: ListGrowth;
  LiveSegment: LiveSegment;
  MailDetail: MailDetail;
  MailSummary: MailSummary;
  Member: Member;
  MessageActivity: MessageActivity;
  MessageStatistics: MessageStatistics;
  OperatorAttribute: OperatorAttribute;
  OwnSession: OwnSession;
  Passkey: Passkey;
  PasskeyOptions: PasskeyOptions;
  PasskeySignInBody: PasskeySignInBody;
  PersonAccount: PersonAccount;
  PersonExport: PersonExport;
  PersonalToken: PersonalToken;
  PipelineState: PipelineState;
  PreviewExportBody: PreviewExportBody;
  RecordActivitiesBody: RecordActivitiesBody;
  RecoveryCodes: RecoveryCodes;
  RememberBody: RememberBody;
  Remembered: Remembered;
  ReplayEventsBody: ReplayEventsBody;
  RequestDetail: RequestDetail;
  RequestFailure: RequestFailure;
  RequestPasswordResetBody: RequestPasswordResetBody;
  RequestSummary: RequestSummary;
  RunningAnswer: RunningAnswer;
  RunningWork: RunningWork;
  SavedView: SavedView;
  SearchAnswer: SearchAnswer;
  SearchAttributesAnswer: SearchAttributesAnswer;
  SearchAttributesBody: SearchAttributesBody;
  SearchAudienceBody: SearchAudienceBody;
  SearchContactsBody: SearchContactsBody;
  SecondFactorBody: SecondFactorBody;
  SecretLink: SecretLink;
  Segment: Segment;
  SegmentChange: SegmentChange;
  SegmentCount: SegmentCount;
  SegmentDetail: SegmentDetail;
  SegmentGrowth: SegmentGrowth;
  Session: Session;
  SetUpBody: SetUpBody;
  SignInAnswer: SignInAnswer;
  SignInBody: SignInBody;
  SignUp: SignUp;
  SignedInPerson: SignedInPerson;
  SigningSecret: SigningSecret;
  System: System;
  TimelineEntry: TimelineEntry;
  UpdateAccountBody: UpdateAccountBody;
  UpdateAttributesAnswer: UpdateAttributesAnswer;
  UpdateAttributesBody: UpdateAttributesBody;
  UpdateContactBody: UpdateContactBody;
  UpdateContactsBody: UpdateContactsBody;
  UpdateEventSubscriptionBody: UpdateEventSubscriptionBody;
  UpdateExportScheduleBody: UpdateExportScheduleBody;
  UpdateListBody: UpdateListBody;
  UpdateMemberBody: UpdateMemberBody;
  UpdateOperatorAttributeBody: UpdateOperatorAttributeBody;
  UpdateOwnProfileBody: UpdateOwnProfileBody;
  UpdateSavedViewBody: UpdateSavedViewBody;
  UpdateSegmentBody: UpdateSegmentBody;
  UpdateUserBody: UpdateUserBody;
  User: User;
  UserActivity: UserActivity;
  UserActivityAnswer: UserActivityAnswer;
  UserActivityBody: UserActivityBody;
  UserActivityData: UserActivityData;
  UserActivityErrorAnswer: UserActivityErrorAnswer;
  WaitedOutcome: WaitedOutcome;
  WaitingSignUp: WaitingSignUp;
}

/** The queries of operations, by their names. */
export interface Queries {
  ActivityStatisticsQuery: ActivityStatisticsQuery;
  AttributeValuesQuery: AttributeValuesQuery;
  ContactGrowthQuery: ContactGrowthQuery;
  ContactTimelineQuery: ContactTimelineQuery;
  DeleteAccountQuery: DeleteAccountQuery;
  EraseContactQuery: EraseContactQuery;
  FindContactsQuery: FindContactsQuery;
  GetRequestQuery: GetRequestQuery;
  ListAuditLogQuery: ListAuditLogQuery;
  ListBulkChangesQuery: ListBulkChangesQuery;
  ListDeliveriesQuery: ListDeliveriesQuery;
  ListEventDeliveriesQuery: ListEventDeliveriesQuery;
  ListEventsQuery: ListEventsQuery;
  ListExportsQuery: ListExportsQuery;
  ListGrowthQuery: ListGrowthQuery;
  ListImportFailuresQuery: ListImportFailuresQuery;
  ListImportsQuery: ListImportsQuery;
  ListListsQuery: ListListsQuery;
  ListMailsQuery: ListMailsQuery;
  ListMessageActivitiesQuery: ListMessageActivitiesQuery;
  ListMessageStatisticsQuery: ListMessageStatisticsQuery;
  ListRequestsQuery: ListRequestsQuery;
  ListSavedViewsQuery: ListSavedViewsQuery;
  ListSegmentChangesQuery: ListSegmentChangesQuery;
  ListSegmentsQuery: ListSegmentsQuery;
  ListUsersQuery: ListUsersQuery;
  PageQuery: PageQuery;
  PipelineStateQuery: PipelineStateQuery;
  SegmentGrowthQuery: SegmentGrowthQuery;
  UserActivityQuery: UserActivityQuery;
}
