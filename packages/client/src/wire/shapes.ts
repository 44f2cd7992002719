/* oxlint-disable max-lines */
// Generated from the contract by `npm run generate`. Edit packages/contract instead.

/** The request is stored and will be applied, in the order of acceptance. */
export interface AcceptedAnswer {
  /** Identifier of the request, a time-ordered UUID. */
  readonly request_id: string;
  readonly code: 200;
  readonly status: 'success';
  readonly description: string;
}

/** An account: a tenant with its own contacts, audiences, attributes and keys. */
export interface Account {
  readonly account_id: number;
  /** Name for people; need not be unique. */
  readonly name: string;
  /** Attribute whose value identifies a contact: `EMAIL`, `MOBILE`, or the name of a custom text attribute, which is created when it does not exist. */
  readonly primary_key: string;
  /** IANA name of the time zone in which the account counts days. */
  readonly time_zone: string;
  readonly settings: {
    /** A create with an identity that exists is refused as a whole with 400. Default: false. */
    readonly reject_existing_contacts: boolean;
    /** Contacts that were erased (`DELETE …/contacts/{contact_id}?mode=erase`) are refused when they are sent again, with `contact_forgotten`; so are activities of them. Default: true. */
    readonly reject_forgotten_contacts: boolean;
    /** Unknown attribute names in contacts create the attribute, of the type of their first value. Default: false. */
    readonly auto_create_attributes: boolean;
    /** Cells of exports that a spreadsheet would take for a formula (beginning with =, +, -, @, their full-width forms, a tab or a line break, also after apostrophes) get an apostrophe in front. A last column `roster:formula_guard` says so, and an import takes the apostrophe off again. Values of number attributes stay. Without it, files are exact. Default: false. */
    readonly csv_formula_guard: boolean;
    /** Requests a minute that one API key may send to one process; 0 = no limit, null = the setting of the service. Default: null. */
    readonly rate_limit: number | null;
    /** Months for which activities are kept besides the current one; whole months (UTC) are dropped. Older ones are refused, and shown no more. Default: 25. */
    readonly activity_retention_months: number;
    /** Requests of batch add (v3) that the account may send in a day, counted from midnight to midnight in its time zone; 0 = none. Default: 100000. */
    readonly daily_batch_limit: number;
  };
  /** When the account was created. */
  readonly created_at: string;
  /** When the account was changed last. */
  readonly updated_at: string;
}

/** An account with its settings. */
export interface AccountDetail {
  readonly account_id: number;
  /** Name for people; need not be unique. */
  readonly name: string;
  /** Attribute whose value identifies a contact: `EMAIL`, `MOBILE`, or the name of a custom text attribute, which is created when it does not exist. */
  readonly primary_key: string;
  /** IANA name of the time zone in which the account counts days. */
  readonly time_zone: string;
  readonly settings: {
    /** A create with an identity that exists is refused as a whole with 400. Default: false. */
    readonly reject_existing_contacts: boolean;
    /** Contacts that were erased (`DELETE …/contacts/{contact_id}?mode=erase`) are refused when they are sent again, with `contact_forgotten`; so are activities of them. Default: true. */
    readonly reject_forgotten_contacts: boolean;
    /** Unknown attribute names in contacts create the attribute, of the type of their first value. Default: false. */
    readonly auto_create_attributes: boolean;
    /** Cells of exports that a spreadsheet would take for a formula (beginning with =, +, -, @, their full-width forms, a tab or a line break, also after apostrophes) get an apostrophe in front. A last column `roster:formula_guard` says so, and an import takes the apostrophe off again. Values of number attributes stay. Without it, files are exact. Default: false. */
    readonly csv_formula_guard: boolean;
    /** Requests a minute that one API key may send to one process; 0 = no limit, null = the setting of the service. Default: null. */
    readonly rate_limit: number | null;
    /** Months for which activities are kept besides the current one; whole months (UTC) are dropped. Older ones are refused, and shown no more. Default: 25. */
    readonly activity_retention_months: number;
    /** Requests of batch add (v3) that the account may send in a day, counted from midnight to midnight in its time zone; 0 = none. Default: 100000. */
    readonly daily_batch_limit: number;
  };
  /** When the account was created. */
  readonly created_at: string;
  /** When the account was changed last. */
  readonly updated_at: string;
  /** How far the account is with its batch adds (v3) of today. */
  readonly daily_batch: {
    /** The setting `daily_batch_limit`. */
    readonly limit: number;
    /** Requests that were accepted today. */
    readonly used: number;
    /** When the next day begins in the time zone of the account. */
    readonly resets_at: string;
  };
}

/** Settings of an account. A setting that is left out has its default. */
export interface AccountSettings {
  /** A create with an identity that exists is refused as a whole with 400. Default: false. */
  readonly reject_existing_contacts?: boolean | undefined;
  /** Contacts that were erased (`DELETE …/contacts/{contact_id}?mode=erase`) are refused when they are sent again, with `contact_forgotten`; so are activities of them. Default: true. */
  readonly reject_forgotten_contacts?: boolean | undefined;
  /** Unknown attribute names in contacts create the attribute, of the type of their first value. Default: false. */
  readonly auto_create_attributes?: boolean | undefined;
  /** Cells of exports that a spreadsheet would take for a formula (beginning with =, +, -, @, their full-width forms, a tab or a line break, also after apostrophes) get an apostrophe in front. A last column `roster:formula_guard` says so, and an import takes the apostrophe off again. Values of number attributes stay. Without it, files are exact. Default: false. */
  readonly csv_formula_guard?: boolean | undefined;
  /** Requests a minute that one API key may send to one process; 0 = no limit, null = the setting of the service. Default: null. */
  readonly rate_limit?: number | null | undefined;
  /** Months for which activities are kept besides the current one; whole months (UTC) are dropped. Older ones are refused, and shown no more. Default: 25. */
  readonly activity_retention_months?: number | undefined;
  /** Requests of batch add (v3) that the account may send in a day, counted from midnight to midnight in its time zone; 0 = none. Default: 100000. */
  readonly daily_batch_limit?: number | undefined;
}

/** An API key without its secret. */
export interface ApiKey {
  readonly api_key_id: number;
  readonly name: string;
  /** How the key begins. */
  readonly key_hint: string;
  readonly scopes: ReadonlyArray<'contacts:read' | 'contacts:write' | 'attributes:read' | 'attributes:write' | 'export' | 'activity:read' | 'unmasked'>;
  readonly status: 'active' | 'expired' | 'revoked';
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
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
  /** Masked like a value for API keys without the scope `unmasked`. */
  readonly default_value: string | number | boolean | null;
  readonly mapping: string | null;
  readonly data_masking: 'none' | 'partial' | 'full';
  /** True for the attributes that every account has: not deletable, not renamable. */
  readonly system: boolean;
  /** When it was created. */
  readonly created_at: string;
  /** When its definition was changed last. */
  readonly updated_at: string;
}

/** Where an attribute is used. */
export interface AttributeUsage {
  readonly name: string;
  /** True when `usage` has entries: the attribute cannot be deleted then. */
  readonly in_use: boolean;
  /** Number of contacts that have a value. */
  readonly contacts_with_value: number;
  readonly usage: readonly AttributeUse[];
}

/** Where each attribute is used. */
export interface AttributeUsageAnswer {
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
  /** What kind of thing: a segment (`id`: audience_id), the primary key (the account), a mapping (the attribute at its other end), an export (its request_id), or an import other than a dry run (its import_id), that is not finished. */
  readonly feature: 'segment' | 'primary_key' | 'mapping' | 'export' | 'import';
  readonly id: number | string;
  readonly name: string;
}

/** One change by an operator or a caller: who changed what, and when. */
export interface AuditLogEntry {
  readonly audit_id: number;
  readonly occurred_at: string;
  /** Who did it: `operator`, `system`, or `api-key:` and the number of the key. */
  readonly actor: string;
  /** Thing and verb. */
  readonly action: string;
  /** Which one. */
  readonly subject: string;
  /** More about it; updates have `changes: {field: {from, to}}`. Never secrets or personal data. */
  readonly details: { readonly [name: string]: unknown };
}

/** The batch is stored and will be applied, in the order of acceptance. */
export interface BatchAddAnswer {
  /** Identifier of the job. */
  readonly message: string;
  readonly status: 200;
}

/** Contacts to add to a list, in the older form. */
export interface BatchAddBody {
  /** The list that all contacts are added to. A JSON integer: `"12"` is refused. */
  readonly listid: number;
  /** Gets a mail when the job has ended. */
  readonly notifyemail: string;
  /** Gets a POST when the job has ended, by `https` or `http`. `callback` is accepted, too. A private address is accepted but not called unless an operator has opened it; the log of deliveries shows the refusal. */
  readonly callbackurl: string;
  /** Name of the primary key of the account, in any letter case. */
  readonly primarykey: string;
  /** Contacts: the name of an attribute, `EMAIL`, `MOBILE` or the primary key, to its value. At most 20 attributes each. `""` and `"null"` clear a value. */
  readonly data: ReadonlyArray<{ readonly [name: string]: string | number | boolean | null }>;
}

/** An error of batch add. */
export interface BatchAddErrorAnswer {
  readonly message: string;
  /** The HTTP status. */
  readonly status: number;
}

/** The end of a batch add job. */
export interface BatchAddReport {
  /** The job, as in `message` of the answer. */
  readonly job_id: string;
  readonly status: 'completed';
  /** The list. */
  readonly listid: number;
  /** Contacts in the batch: created + updated + failed. */
  readonly total: number;
  /** New contacts. */
  readonly created: number;
  /** Contacts that existed, also those that did not change. */
  readonly updated: number;
  /** Contacts that failed. */
  readonly failed: number;
  /** Why contacts failed and what was left out of others, in the order of the contacts. */
  readonly errors: ReadonlyArray<{
    /** Index of the contact in `data`. */
    readonly index: number;
    /** Reason code; docs/errors.md lists them. */
    readonly code: string;
    /** The reason in words. It begins with the name of the attribute where there is one. */
    readonly message: string;
  }>;
}

/** The type of the contact after the change. */
export interface ContactTypeAnswer {
  readonly contact_id: number;
  /** Type of the contact now. */
  readonly contact_type: 'anonymous' | 'identified' | 'unconfirmed' | 'confirmed' | 'blacklisted';
}

/** A new account. */
export interface CreateAccountBody {
  /** Name for people; need not be unique. */
  readonly name: string;
  /** Attribute whose value identifies a contact: `EMAIL`, `MOBILE`, or the name of a custom text attribute, which is created when it does not exist. */
  readonly primary_key?: string | undefined;
  /** IANA name of the time zone in which the account counts days. */
  readonly time_zone?: string | undefined;
  /** Settings of an account. A setting that is left out has its default. */
  readonly settings?: {
    /** A create with an identity that exists is refused as a whole with 400. Default: false. */
    readonly reject_existing_contacts?: boolean | undefined;
    /** Contacts that were erased (`DELETE …/contacts/{contact_id}?mode=erase`) are refused when they are sent again, with `contact_forgotten`; so are activities of them. Default: true. */
    readonly reject_forgotten_contacts?: boolean | undefined;
    /** Unknown attribute names in contacts create the attribute, of the type of their first value. Default: false. */
    readonly auto_create_attributes?: boolean | undefined;
    /** Cells of exports that a spreadsheet would take for a formula (beginning with =, +, -, @, their full-width forms, a tab or a line break, also after apostrophes) get an apostrophe in front. A last column `roster:formula_guard` says so, and an import takes the apostrophe off again. Values of number attributes stay. Without it, files are exact. Default: false. */
    readonly csv_formula_guard?: boolean | undefined;
    /** Requests a minute that one API key may send to one process; 0 = no limit, null = the setting of the service. Default: null. */
    readonly rate_limit?: number | null | undefined;
    /** Months for which activities are kept besides the current one; whole months (UTC) are dropped. Older ones are refused, and shown no more. Default: 25. */
    readonly activity_retention_months?: number | undefined;
    /** Requests of batch add (v3) that the account may send in a day, counted from midnight to midnight in its time zone; 0 = none. Default: 100000. */
    readonly daily_batch_limit?: number | undefined;
  } | undefined;
}

/** A new API key. */
export interface CreateApiKeyBody {
  /** What the key is for. */
  readonly name: string;
  /** What the key may do. Default: all but `unmasked`. */
  readonly scopes?: ReadonlyArray<'contacts:read' | 'contacts:write' | 'attributes:read' | 'attributes:write' | 'export' | 'activity:read' | 'unmasked'> | undefined;
  /** When the key stops working; default: never. */
  readonly expires_at?: string | null | undefined;
}

/** New attributes. */
export interface CreateAttributesBody {
  readonly data: ReadonlyArray<{
    /** Name: a capital letter, then capital letters, digits and underscores, at most 64; lower case is raised. */
    readonly name: string;
    /** Default: contact. */
    readonly entity_type?: 'contact' | undefined;
    /** Default: custom. */
    readonly category?: 'profile' | 'demographic' | 'location' | 'behaviour' | 'transaction' | 'preference' | 'custom' | undefined;
    /** `text`: at most 1,000 characters. `long_text`: at most 65,536, neither exported nor searched except for null. `number`: a finite double. `boolean`. `date`: `YYYY-MM-DD`. `datetime`: RFC 3339, stored in UTC. */
    readonly data_type: 'text' | 'long_text' | 'number' | 'boolean' | 'date' | 'datetime';
    /** Value that new contacts get which do not carry the attribute; of the data type of the attribute; null: none. The defaults of an account have at most 131,072 characters together. */
    readonly default_value?: string | number | boolean | null | undefined;
    /** Name of a system attribute (FIRST_NAME, LAST_NAME, GENDER, BIRTH_DATE, CITY, STATE, COUNTRY, POSTAL_CODE, LANGUAGE, TIME_ZONE) of the same data type: reading or writing that name then reads or writes this attribute. One attribute a target; null: none. */
    readonly mapping?: string | null | undefined;
    /** How values are hidden from API keys without the scope `unmasked`. `partial`: all but the last four characters (as readers see them: a letter with its marks is one) are `*`; values of up to eight characters are hidden wholly. `full`: hidden wholly. Under a mapping, that of the two attributes which hides more counts. Default: none. */
    readonly data_masking?: 'none' | 'partial' | 'full' | undefined;
  }>;
}

/** Contacts to create. A contact that exists is updated. */
export interface CreateContactsBody {
  readonly data: {
    /** `identified` contacts need an `identity`. Each `anonymous` entry is a new contact; an `identity` that it carries is ignored, whatever it is. */
    readonly contact_type: 'identified' | 'anonymous';
    readonly contacts: ReadonlyArray<{
      /** Value of the account's primary key: 1 to 255 characters after trimming; a number is taken as its decimal text. With the primary key EMAIL or MOBILE it fills `email` or `mobile`; a contact that gives both and they differ fails with `identity_mismatch`. */
      readonly identity?: string | number | undefined;
      /** E-mail address; null clears it. */
      readonly email?: string | null | undefined;
      /** Mobile number with the country code, 6 to 15 digits, as text or as a number; a leading +, spaces and dashes are removed; null clears it. */
      readonly mobile?: string | number | null | undefined;
      /** Attribute name to value. Merged key by key into what the contact has; null clears a value. A value that does not fit the data type of its attribute is left out, and so is a name that the account does not have, and a value of more than 1,000 characters where all of the contact would have more than 1,048,576 together. EMAIL and MOBILE are refused here: they are fields of the contact. */
      readonly attributes?: { readonly [name: string]: string | number | boolean | null } | undefined;
      /** Lists to add the contact to. */
      readonly audience_details?: ReadonlyArray<{
        /** One or more identifiers of lists; a single one may stand without the array. */
        readonly audience_id: readonly number[];
        readonly audience_type?: 'list' | undefined;
        /** Default: add. */
        readonly action?: 'add' | undefined;
      }> | undefined;
      /** By channel: false = opted out, true = opted in again. `email: false` makes the contact `blacklisted`; `email: true` gives a blacklisted contact the type that it had before. */
      readonly subscriptions?: {
        readonly email?: boolean | undefined;
        readonly sms?: boolean | undefined;
        readonly whatsapp?: boolean | undefined;
      } | undefined;
    }>;
  };
}

/** How to import a file. The file itself is sent afterwards. */
export interface CreateImportBody {
  /** Name of the file, for people. */
  readonly file_name?: string | undefined;
  /** Default: what the file looks like. */
  readonly format?: 'csv' | 'ndjson' | undefined;
  /** Default: UTF-8, or UTF-16 with a byte order mark. A file in another encoding is refused: nobody can tell Windows-1252 from its relatives, so it has to be named here. */
  readonly encoding?: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | undefined;
  /** What separates the cells of a row. Default: what the first lines look like. */
  readonly delimiter?: ',' | ';' | '|' | 'tab' | '	' | undefined;
  /** `upsert`: each row creates a contact, or is merged into the one that has its identity. `create`: a row whose contact exists fails, and so does one that repeats another. `update`: a row whose contact does not exist fails. Default: upsert. */
  readonly mode?: 'upsert' | 'create' | 'update' | undefined;
  /** `leave`: an empty cell changes nothing. `clear`: it clears the value. A cell `""` is an empty text for a text attribute, and an empty cell elsewhere. Default: leave. */
  readonly blank_cells?: 'leave' | 'clear' | undefined;
  /** The apostrophe that the formula guard puts before `=`, `+`, `-`, `@` and the like in CSV. `auto`: it is taken off in files that Roster wrote with the guard; they have the column `roster:formula_guard`. `remove`: it is taken off. `keep`: every cell stays as it is. Default: auto. */
  readonly formula_guard?: 'auto' | 'remove' | 'keep' | undefined;
  /** Lists that the contact of each row is added to. */
  readonly audience_ids?: readonly number[] | undefined;
  /** What columns mean, by their headers: `"CITY"` or `{"field": "CITY"}`, a field (`IDENTITY`, `CONTACT_ID`, `EMAIL`, `MOBILE`, …) or an attribute; null or `{"skip": true}`: the column is left out. Other columns are found by their names. */
  readonly columns?: { readonly [name: string]: string | null | {
    readonly field: string;
  } | {
    readonly skip: true;
  } } | undefined;
  /** `refuse`: the import fails before anything is written, and names the columns. `skip`: they are left out. `create`: they become attributes, of the narrowest data type that all their cells fit. Default: refuse. */
  readonly unknown_columns?: 'refuse' | 'skip' | 'create' | undefined;
  /** True: everything is checked and counted as if, and nothing is written. Default: false. */
  readonly dry_run?: boolean | undefined;
}

/** A new list. */
export interface CreateListBody {
  /** Name for people; need not be unique. */
  readonly name: string;
}

/** A new segment: a name and a filter. */
export interface CreateSegmentBody {
  /** Name for people; need not be unique. */
  readonly name: string;
  /** Combines the groups; required when there is more than one. */
  readonly filtering_criteria_operator?: 'and' | 'or' | undefined;
  /** Groups of conditions; absent or empty = all contacts of the account. */
  readonly filtering_criteria: ReadonlyArray<{
    /** Combines the conditions of the group; default `and`. */
    readonly condition_operator?: 'and' | 'or' | undefined;
    readonly condition_details: ReadonlyArray<{
      /** Name of a config field, an audience field or an attribute, in any letter case. */
      readonly field: string;
      /** May be left out where the name of the field is unambiguous. */
      readonly field_category?: 'config' | 'audience' | 'attribute' | undefined;
      /** Name of an operation. */
      readonly operation: string;
      /** Values to compare with; a single one may stand without the array. */
      readonly value?: ReadonlyArray<string | number | boolean> | undefined;
    }>;
  }>;
}

/** The identity is filled by the e-mail address or the mobile number where that is the primary key; otherwise it is required. */
export interface CreateSignUpBody {
  /** Address that the link is sent to. */
  readonly email: string;
  /** Value of the account's primary key: 1 to 255 characters after trimming; a number is taken as its decimal text. With the primary key EMAIL or MOBILE it fills `email` or `mobile`; a contact that gives both and they differ fails with `identity_mismatch`. */
  readonly identity?: string | number | undefined;
  /** Mobile number with the country code, 6 to 15 digits, as text or as a number; a leading +, spaces and dashes are removed; null clears it. */
  readonly mobile?: string | number | null | undefined;
  /** Attribute name to value. Merged key by key into what the contact has; null clears a value. A value that does not fit the data type of its attribute is left out, and so is a name that the account does not have, and a value of more than 1,000 characters where all of the contact would have more than 1,048,576 together. EMAIL and MOBILE are refused here: they are fields of the contact. */
  readonly attributes?: { readonly [name: string]: string | number | boolean | null } | undefined;
  /** Lists to add the contact to. */
  readonly audience_details?: ReadonlyArray<{
    /** One or more identifiers of lists; a single one may stand without the array. */
    readonly audience_id: readonly number[];
    readonly audience_type?: 'list' | undefined;
    /** Default: add. */
    readonly action?: 'add' | undefined;
  }> | undefined;
}

/** A new account with its first API key, which is shown only here. */
export interface CreatedAccount {
  readonly account_id: number;
  /** Name for people; need not be unique. */
  readonly name: string;
  /** Attribute whose value identifies a contact: `EMAIL`, `MOBILE`, or the name of a custom text attribute, which is created when it does not exist. */
  readonly primary_key: string;
  /** IANA name of the time zone in which the account counts days. */
  readonly time_zone: string;
  readonly settings: {
    /** A create with an identity that exists is refused as a whole with 400. Default: false. */
    readonly reject_existing_contacts: boolean;
    /** Contacts that were erased (`DELETE …/contacts/{contact_id}?mode=erase`) are refused when they are sent again, with `contact_forgotten`; so are activities of them. Default: true. */
    readonly reject_forgotten_contacts: boolean;
    /** Unknown attribute names in contacts create the attribute, of the type of their first value. Default: false. */
    readonly auto_create_attributes: boolean;
    /** Cells of exports that a spreadsheet would take for a formula (beginning with =, +, -, @, their full-width forms, a tab or a line break, also after apostrophes) get an apostrophe in front. A last column `roster:formula_guard` says so, and an import takes the apostrophe off again. Values of number attributes stay. Without it, files are exact. Default: false. */
    readonly csv_formula_guard: boolean;
    /** Requests a minute that one API key may send to one process; 0 = no limit, null = the setting of the service. Default: null. */
    readonly rate_limit: number | null;
    /** Months for which activities are kept besides the current one; whole months (UTC) are dropped. Older ones are refused, and shown no more. Default: 25. */
    readonly activity_retention_months: number;
    /** Requests of batch add (v3) that the account may send in a day, counted from midnight to midnight in its time zone; 0 = none. Default: 100000. */
    readonly daily_batch_limit: number;
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
  /** How the key begins. */
  readonly key_hint: string;
  readonly scopes: ReadonlyArray<'contacts:read' | 'contacts:write' | 'attributes:read' | 'attributes:write' | 'export' | 'activity:read' | 'unmasked'>;
  readonly status: 'active' | 'expired' | 'revoked';
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** When the key was created. */
  readonly created_at: string;
  /** The API key. It is shown only in this answer. */
  readonly api_key: string;
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
      /** Identifier given by the service. */
      readonly contact_id?: number | undefined;
      /** Value of the account's primary key: 1 to 255 characters after trimming; a number is taken as its decimal text. With the primary key EMAIL or MOBILE it fills `email` or `mobile`; a contact that gives both and they differ fails with `identity_mismatch`. */
      readonly identity?: string | number | undefined;
      readonly email?: string | undefined;
      readonly mobile?: string | number | undefined;
      /** When given, the contact only leaves these lists; otherwise it is deleted. */
      readonly audience_details?: ReadonlyArray<{
        /** One or more identifiers of lists; a single one may stand without the array. */
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
  /** The receiver gets it as `X-Roster-Delivery`, the same in every attempt. */
  readonly delivery_id: string;
  /** What it tells about. */
  readonly source: 'export' | 'batch';
  /** The `request_id` of the export, or the id of the batch job. */
  readonly source_id: string;
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'GET';
  readonly url: string;
  /** `pending`: will be tried, or tried again. `delivered`: answered with 2xx. `failed`: given up after 24 hours. */
  readonly status: 'pending' | 'delivered' | 'failed';
  /** Attempts that were begun, those before a replay included. */
  readonly attempts: number;
  /** Null once it is finished. */
  readonly next_attempt_at: string | null;
  /** When the thing happened that it tells about. */
  readonly created_at: string;
  readonly finished_at: string | null;
}

/** One attempt to send a callback. */
export interface DeliveryAttempt {
  /** Number of the attempt, from 1, over all replays. */
  readonly attempt: number;
  /** When it began. */
  readonly started_at: string;
  /** Milliseconds until the outcome was known; null while it is under way, and when it was cut off. */
  readonly duration_ms: number | null;
  /** HTTP status of the answer; null when there was none. */
  readonly status_code: number | null;
  /** Why it failed; null when it did not, or is under way. */
  readonly error: {
    /** Stable code; docs/errors.md lists them. */
    readonly code: 'bad_status' | 'redirect' | 'timeout' | 'host_not_found' | 'address_refused' | 'url_refused' | 'connection_failed' | 'tls_failed' | 'invalid_response' | 'interrupted' | 'internal';
    readonly message: string;
  } | null;
  /** The IP address that was connected to; null when there was no connection. */
  readonly address: string | null;
}

/** A callback with its body and every attempt. */
export interface DeliveryDetail {
  /** The receiver gets it as `X-Roster-Delivery`, the same in every attempt. */
  readonly delivery_id: string;
  /** What it tells about. */
  readonly source: 'export' | 'batch';
  /** The `request_id` of the export, or the id of the batch job. */
  readonly source_id: string;
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'GET';
  readonly url: string;
  /** `pending`: will be tried, or tried again. `delivered`: answered with 2xx. `failed`: given up after 24 hours. */
  readonly status: 'pending' | 'delivered' | 'failed';
  /** Attempts that were begun, those before a replay included. */
  readonly attempts: number;
  /** Null once it is finished. */
  readonly next_attempt_at: string | null;
  /** When the thing happened that it tells about. */
  readonly created_at: string;
  readonly finished_at: string | null;
  /** Names of the headers that the caller added. Their values can be secrets and are never shown. */
  readonly header_names: readonly string[];
  /** The body as it is sent and signed. Empty for `GET`: `url` then has the fields in its query. */
  readonly body: string;
  /** Every attempt, the first one first. */
  readonly attempt_log: readonly DeliveryAttempt[];
}

/** `EraseContactQuery` of the interface; /docs of a running service describes it. */
export interface EraseContactQuery {
  /** `erase`: the contact and every trace of it that the service can find. Required, because it cannot be taken back. */
  readonly mode: 'erase';
}

/** The erasure of a person and its progress. */
export interface Erasure {
  /** Identifier of the erasure, and of its request. */
  readonly request_id: string;
  /** Number that the contact had. */
  readonly contact_id: number;
  /** `running`: the contact is gone, and is refused when it is sent again; its traces in the request log, its activities, mails and sign-ups are being erased in the background. `done`: nothing is left to do. */
  readonly status: 'running' | 'done';
  readonly accepted_at: string;
  /** When the contact was gone. */
  readonly erased_at: string;
  /** When everything was; null while it runs. */
  readonly finished_at: string | null;
  /** How much was erased so far besides the contact and its activities. */
  readonly erased: {
    /** Items of requests. */
    readonly items: number;
    /** Mails to the person. */
    readonly mails: number;
    /** Sign-ups. */
    readonly sign_ups: number;
  };
  /** Files of exports that may contain the person and are still there: of the segments, and of the lists that it was in or may have been in when they were written. They expire by themselves after 7 days. */
  readonly export_files: ReadonlyArray<{
    /** The export. */
    readonly request_id: string;
    readonly audience_type: 'list' | 'segment';
    readonly audience_id: number;
    /** `running`: the file is being written. */
    readonly status: 'running' | 'completed';
    /** When the file is deleted; null until it is completed. */
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
  /** Every fault of the request, at most 50. */
  readonly errors: readonly ErrorEntry[];
}

/** One fault of a request. */
export interface ErrorEntry {
  /** Stable code; docs/errors.md lists them. */
  readonly code: string;
  /** Path of the place in the body. */
  readonly field: string;
  readonly message: string;
}

/** An export, its progress and its file. */
export interface Export {
  /** Identifier of the export. */
  readonly request_id: string;
  /** `accepted`: waits. `running`: is being written. `completed`: the file is there. `failed`: `error` says why. `cancelled`: stopped by an operator. `expired`: was completed, and the file is deleted. */
  readonly status: 'accepted' | 'running' | 'completed' | 'failed' | 'cancelled' | 'expired';
  readonly audience_type: 'list' | 'segment';
  /** Number of the list or segment. */
  readonly audience_id: number;
  /** The columns, as requested. */
  readonly attributes: readonly string[];
  readonly blocklist_type: 'email' | 'mobile' | null;
  /** True when the API key had the scope `unmasked`. */
  readonly unmasked: boolean;
  /** The API key that asked for it. */
  readonly api_key_id: number;
  readonly file_type: 'csv';
  readonly compression: 'none' | 'gzip';
  /** How many rows it is expected to have; exact once completed, null before it runs. */
  readonly rows_total: number | null;
  /** Rows so far, written down every second. */
  readonly rows_written: number;
  /** Bytes of the file; null until it is completed. */
  readonly file_size: number | null;
  /** Signed address of the file; null unless it is completed. */
  readonly file_url: string | null;
  /** Why it failed. */
  readonly error: string | null;
  /** The delivery of the callback, once the export has ended. */
  readonly delivery_id: string | null;
  /** The mail to `notify_email`, once the export has ended. */
  readonly mail_id: string | null;
  readonly accepted_at: string;
  /** When it began to run. */
  readonly started_at: string | null;
  /** When it ended. */
  readonly finished_at: string | null;
  /** When the file is deleted. */
  readonly expires_at: string | null;
}

/** The export is stored and will run. */
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
    /** The columns of the file, in this order and with these names: attributes of the account (mappings are followed), `EMAIL`, `MOBILE`, the primary key, and the fields `CONTACT_ID`, `CONTACT_TYPE`, `IDENTITY`, `CREATED_AT`, `UPDATED_AT`, `EMAIL_OPTED_OUT`, `SMS_OPTED_OUT`. A name that is repeated, in whatever letter case, is one column, where it stands first. Default: the primary key, `EMAIL`, `MOBILE`. */
    readonly attributes_needed?: readonly string[] | undefined;
    /** Leaves out contacts that opted out on this identifier: `email` those who opted out of e-mail, `mobile` (or `phone`) those who opted out of SMS or of WhatsApp; both leave out contacts that were blacklisted without an opt-out. Without it nobody is left out. */
    readonly blocklist_type?: 'email' | 'mobile' | 'phone' | undefined;
  };
  /** Default: csv. */
  readonly file_type?: 'csv' | undefined;
  /** `gzip` makes the file a `.csv.gz`; `file_type` stays `csv`. Not part of the original interface. Default: none. */
  readonly compression?: 'none' | 'gzip' | undefined;
  /** Gets a mail when the export has ended. Absent or blank: nobody does. */
  readonly notify_email?: string | undefined;
  /** Whom to tell when the export has ended. Must be there, if only as `{}`. */
  readonly callback_details: {
    /** Default: POST. `GET` sends no body: the fields of the payload are query parameters, `callbackBody` as JSON. */
    readonly method?: 'POST' | 'PUT' | 'PATCH' | 'GET' | undefined;
    /** HTTPS address of the callback. Absent or blank: there is no callback. Plain HTTP and internal addresses only where an operator has allowed them. */
    readonly endpoint?: string | undefined;
    /** Headers of the callback. `Host`, `Content-Length`, `Transfer-Encoding`, `Connection` and those that Roster sets are refused. */
    readonly header?: ReadonlyArray<{ readonly [name: string]: string | number | boolean | null }> | undefined;
    /** Anything that the receiver wants to get back, sent as `callbackBody`; default `{}`. At most 65,536 characters of JSON and 100 levels (with `GET` 4,000 characters, percent-encoded); integers beyond 2^53 as strings, because their last digits would be lost. */
    readonly body?: { readonly [name: string]: unknown } | undefined;
  };
}

/** An error of the audience export. */
export interface ExportErrorAnswer {
  readonly data: {
    readonly status: 'error';
    readonly description: string;
    /** Every fault of the request, at most 150. */
    readonly errors: readonly ErrorEntry[];
  };
  /** The same text as the description. */
  readonly message: string;
  /** The HTTP status. */
  readonly statusCode: number;
}

/** The end of an export. */
export interface ExportReport {
  /** Identifier of the export. */
  readonly request_id: string;
  readonly status: 'completed' | 'failed';
  readonly audience_type: 'list' | 'segment';
  readonly audience_id: number;
  readonly file_type: 'csv';
  /** Contacts in the file; null without a file. */
  readonly row_count: number | null;
  /** Bytes of the file; null without a file. */
  readonly file_size: number | null;
  /** Signed address of the file; null without a file. */
  readonly file_url: string | null;
  /** When the file is deleted; null without a file. */
  readonly expires_at: string | null;
  /** Why the export failed. */
  readonly error?: string | undefined;
  /** `callback_details.body` as it was sent. */
  readonly callbackBody: {
  };
}

/** A person who was erased, kept as a hash so that they are not stored again by accident. */
export interface Forgotten {
  /** Number of erased contacts of which hashes are kept, so that they are not imported again. */
  readonly people: number;
}

/** `GetRequestQuery` of the interface; /docs of a running service describes it. */
export interface GetRequestQuery {
  /** `failures_next_cursor` of the answer before; goes on after its last failure. */
  readonly failures_cursor?: string | undefined;
}

/** An import, its progress and its result. */
export interface Import {
  readonly import_id: string;
  /** `awaiting_file`: send the file. `accepted`: waits to run. `running`: is being read and applied. `completed`: every row was applied or has failed. `failed`: `failure` says why; rows that were applied before stay. `cancelled`: stopped by an operator; rows that were applied before stay. */
  readonly status: 'awaiting_file' | 'accepted' | 'running' | 'completed' | 'failed' | 'cancelled';
  readonly file_name: string | null;
  /** Bytes, as they were sent; null until the file is there. */
  readonly file_size: number | null;
  /** Bytes of the file that are stored. An upload in parts goes on behind them. */
  readonly received_bytes: number;
  readonly format: 'csv' | 'ndjson' | null;
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | null;
  readonly delimiter: ',' | ';' | '|' | 'tab' | null;
  readonly compression: 'none' | 'gzip' | null;
  /** `upsert`: each row creates a contact, or is merged into the one that has its identity. `create`: a row whose contact exists fails, and so does one that repeats another. `update`: a row whose contact does not exist fails. Default: upsert. */
  readonly mode: 'upsert' | 'create' | 'update';
  /** `leave`: an empty cell changes nothing. `clear`: it clears the value. A cell `""` is an empty text for a text attribute, and an empty cell elsewhere. Default: leave. */
  readonly blank_cells: 'leave' | 'clear';
  /** The apostrophe that the formula guard puts before `=`, `+`, `-`, `@` and the like in CSV. `auto`: it is taken off in files that Roster wrote with the guard; they have the column `roster:formula_guard`. `remove`: it is taken off. `keep`: every cell stays as it is. Default: auto. */
  readonly formula_guard: 'auto' | 'remove' | 'keep';
  /** Lists that the contacts are added to. */
  readonly audience_ids: readonly number[];
  /** `refuse`: the import fails before anything is written, and names the columns. `skip`: they are left out. `create`: they become attributes, of the narrowest data type that all their cells fit. Default: refuse. */
  readonly unknown_columns: 'refuse' | 'skip' | 'create';
  /** True: nothing is written. */
  readonly dry_run: boolean;
  /** Empty until the columns are known: of CSV with the file, of NDJSON after its first reading. */
  readonly columns: readonly ImportColumn[];
  /** Columns that mean nothing to the account. */
  readonly unknown_headers: readonly string[];
  readonly progress: {
    /** 100 only when it is completed. */
    readonly percent: number;
    /** Rows of the file that were read so far. */
    readonly rows_read: number;
    readonly rows_per_second: number | null;
    /** Expected; null while nobody can tell. */
    readonly seconds_left: number | null;
  };
  /** total = created + updated + unchanged + failed, at any time. */
  readonly counts: {
    /** Rows of the file so far: those that were applied, or failed. */
    readonly total: number;
    /** Contacts that were created. */
    readonly created: number;
    /** Contacts that were changed. */
    readonly updated: number;
    /** Contacts that were as the row wanted them. */
    readonly unchanged: number;
    /** Rows that were not applied; the file of failures has them. */
    readonly failed: number;
    /** Values that were left out while the rest of their row was applied; that file has them, too. */
    readonly warnings: number;
  };
  /** Why the import as a whole failed; docs/errors.md lists the codes. */
  readonly failure: {
    readonly code: string;
    readonly message: string;
  } | null;
  readonly created_at: string;
  /** When the file was there. */
  readonly uploaded_at: string | null;
  /** When it began to run. */
  readonly started_at: string | null;
  /** When it ended. */
  readonly finished_at: string | null;
  /** When the file of failures is deleted; null unless it can be downloaded. */
  readonly failures_expire_at: string | null;
}

/** A column of an imported file and what it means. */
export interface ImportColumn {
  /** As it stands in the file. */
  readonly header: string;
  /** The field or attribute that it is written to; null: the column is left out. */
  readonly field: string | null;
  /** True for the column that has the identities. */
  readonly is_identity: boolean;
  /** Data type of the attribute; null for fields, and until it is inferred. */
  readonly data_type: 'text' | 'long_text' | 'number' | 'boolean' | 'date' | 'datetime' | null;
  /** True when the attribute is created by this import. */
  readonly is_new: boolean;
  /** Why a column is left out, or what is special about it. */
  readonly note: string | null;
}

/** A list: an audience with explicit members. */
export interface List {
  /** Number of the list or segment; lists and segments of an account are numbered together. */
  readonly audience_id: number;
  /** Name for people; need not be unique. */
  readonly name: string;
  readonly audience_type: 'list';
  /** Number of contacts on the list. */
  readonly member_count: number;
  /** When it was created. */
  readonly created_at: string;
  /** When its definition was changed last. */
  readonly updated_at: string;
}

/** `ListDeliveriesQuery` of the interface; /docs of a running service describes it. */
export interface ListDeliveriesQuery {
  /** Rows a page; default 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before; goes on after its last row. */
  readonly cursor?: string | undefined;
  /** Only deliveries of this status. */
  readonly status?: 'pending' | 'delivered' | 'failed' | undefined;
  /** Only deliveries about such a thing. */
  readonly source?: 'export' | 'batch' | undefined;
  /** Only deliveries about this one: the `request_id` of an export, or the id of a batch job. */
  readonly source_id?: string | undefined;
}

/** `ListExportsQuery` of the interface; /docs of a running service describes it. */
export interface ListExportsQuery {
  /** Rows a page; default 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before; goes on after its last row. */
  readonly cursor?: string | undefined;
  /** Only exports of this status. */
  readonly status?: 'accepted' | 'running' | 'completed' | 'failed' | 'cancelled' | 'expired' | undefined;
}

/** `ListImportsQuery` of the interface; /docs of a running service describes it. */
export interface ListImportsQuery {
  /** Rows a page; default 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before; goes on after its last row. */
  readonly cursor?: string | undefined;
  /** Only imports of this status. */
  readonly status?: 'awaiting_file' | 'accepted' | 'running' | 'completed' | 'failed' | 'cancelled' | undefined;
}

/** `ListMailsQuery` of the interface; /docs of a running service describes it. */
export interface ListMailsQuery {
  /** Rows a page; default 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before; goes on after its last row. */
  readonly cursor?: string | undefined;
  /** Only mails of this status. */
  readonly status?: 'stored' | 'pending' | 'sent' | 'failed' | undefined;
}

/** `ListRequestsQuery` of the interface; /docs of a running service describes it. */
export interface ListRequestsQuery {
  /** Rows a page; default 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before; goes on after its last row. */
  readonly cursor?: string | undefined;
  /** Only requests of this status. */
  readonly status?: 'accepted' | 'done' | 'failed' | undefined;
  /** `failed`: only finished requests of which at least one item was not applied, or that failed as a whole. `warnings`: only finished requests that left out part of an item. A request with both is in both lists. Together with `status`, both conditions must hold. */
  readonly outcome?: 'failed' | 'warnings' | undefined;
}

/** A mail with its text. */
export interface MailDetail {
  /** Identifier of the mail, a time-ordered UUID, and the local part of its Message-ID. */
  readonly mail_id: string;
  /** What the mail is about. */
  readonly template: string;
  readonly to: string;
  readonly subject: string;
  /** `stored`: no mail server is configured, so nothing else happens. `pending`: waits for its next attempt. `sent`: the mail server took it. `failed`: given up, because of a refusal that is final or after 24 hours. */
  readonly status: 'stored' | 'pending' | 'sent' | 'failed';
  /** Attempts that have ended. */
  readonly attempts: number;
  /** Why the last attempt failed; null when none did. */
  readonly last_error: {
    /** Stable code; docs/errors.md lists them. */
    readonly code: 'server_unreachable' | 'timeout' | 'tls_failed' | 'login_refused' | 'sender_refused' | 'deferred' | 'recipient_refused' | 'message_refused' | 'server_error';
    readonly message: string;
    /** Reply codes of the mail server, such as `550 5.1.1`; never its text, which can quote addresses. */
    readonly reply: string | null;
  } | null;
  readonly created_at: string;
  /** When the mail server took it. */
  readonly sent_at: string | null;
  /** When it is tried (again); null unless it is pending. */
  readonly next_attempt_at: string | null;
  /** The mail in plain text. */
  readonly text: string;
  /** The mail in HTML; the same facts. */
  readonly html: string;
}

/** A mail without its text. */
export interface MailSummary {
  /** Identifier of the mail, a time-ordered UUID, and the local part of its Message-ID. */
  readonly mail_id: string;
  /** What the mail is about. */
  readonly template: string;
  readonly to: string;
  readonly subject: string;
  /** `stored`: no mail server is configured, so nothing else happens. `pending`: waits for its next attempt. `sent`: the mail server took it. `failed`: given up, because of a refusal that is final or after 24 hours. */
  readonly status: 'stored' | 'pending' | 'sent' | 'failed';
  /** Attempts that have ended. */
  readonly attempts: number;
  /** Why the last attempt failed; null when none did. */
  readonly last_error: {
    /** Stable code; docs/errors.md lists them. */
    readonly code: 'server_unreachable' | 'timeout' | 'tls_failed' | 'login_refused' | 'sender_refused' | 'deferred' | 'recipient_refused' | 'message_refused' | 'server_error';
    readonly message: string;
    /** Reply codes of the mail server, such as `550 5.1.1`; never its text, which can quote addresses. */
    readonly reply: string | null;
  } | null;
  readonly created_at: string;
  /** When the mail server took it. */
  readonly sent_at: string | null;
  /** When it is tried (again); null unless it is pending. */
  readonly next_attempt_at: string | null;
}

/** An attribute with the state of its index. */
export interface OperatorAttribute {
  /** Number of the attribute. */
  readonly id: number;
  readonly name: string;
  readonly entity_type: 'contact';
  readonly category: 'profile' | 'demographic' | 'location' | 'behaviour' | 'transaction' | 'preference' | 'custom';
  readonly data_type: 'text' | 'long_text' | 'number' | 'boolean' | 'date' | 'datetime';
  /** Masked like a value for API keys without the scope `unmasked`. */
  readonly default_value: string | number | boolean | null;
  readonly mapping: string | null;
  readonly data_masking: 'none' | 'partial' | 'full';
  /** True for the attributes that every account has: not deletable, not renamable. */
  readonly system: boolean;
  /** When it was created. */
  readonly created_at: string;
  /** When its definition was changed last. */
  readonly updated_at: string;
  /** True when an index on the values was asked for. */
  readonly indexed: boolean;
  /** `none`: not asked for. `building`: searches do without it until it is ready. `ready`. `failed`: it could not be built; the log of the worker says why, and it is tried again every minute, or at once when it is asked for again. */
  readonly index_status: 'none' | 'building' | 'ready' | 'failed';
}

/** `PageQuery` of the interface; /docs of a running service describes it. */
export interface PageQuery {
  /** Rows a page; default 50. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before; goes on after its last row. */
  readonly cursor?: string | undefined;
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
    /** When it got another. */
    readonly changed_at: string;
  }>;
  readonly lists: ReadonlyArray<{
    readonly audience_id: number;
    readonly name: string;
  }>;
  /** The segments that the contact falls into. One that cannot be evaluated is left out. */
  readonly segments: ReadonlyArray<{
    readonly audience_id: number;
    readonly name: string;
  }>;
  readonly opt_outs: ReadonlyArray<{
    readonly channel: 'email' | 'sms' | 'whatsapp';
    readonly opted_out: boolean;
    /** When the contact last came back to the channel; null when it never did. */
    readonly opted_in_at: string | null;
    /** The last activity that opts out of the channel, as far as activities are kept; an opt-out by a caller is among the requests. */
    readonly last_activity: {
      readonly activity: 'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam';
      readonly occurred_at: string;
    } | null;
  }>;
  /** What operators did to the contact, such as blocking it, oldest first. The other moves of its type come from requests and activities. */
  readonly operator_actions: ReadonlyArray<{
    readonly occurred_at: string;
    readonly actor: string;
    readonly action: string;
  }>;
  /** Oldest first, without their tokens. */
  readonly sign_ups: ReadonlyArray<{
    readonly sign_up_id: string;
    readonly created_at: string;
    /** Until when the link confirms. */
    readonly expires_at: string;
    /** When the link was used. */
    readonly used_at: string | null;
    /** Null once the link was used. */
    readonly contact: { readonly [name: string]: unknown } | null;
  }>;
  /** Mails to the address of the contact, oldest first. */
  readonly mails: ReadonlyArray<{
    readonly mail_id: string;
    readonly template: string;
    readonly to: string;
    readonly subject: string;
    /** The mail in plain text, with `[link]` in place of each link: links can be secrets. */
    readonly text: string;
    readonly status: 'stored' | 'pending' | 'sent' | 'failed';
    readonly created_at: string;
    /** When the mail server took it. */
    readonly sent_at: string | null;
  }>;
  /** Files of exports that may contain the contact and are still there. */
  readonly export_files: ReadonlyArray<{
    /** The export. */
    readonly request_id: string;
    readonly audience_type: 'list' | 'segment';
    readonly audience_id: number;
    /** `running`: the file is being written. */
    readonly status: 'running' | 'completed';
    /** When the file is deleted; null until it is completed. */
    readonly expires_at: string | null;
  }>;
  /** The requests that touched the person, as far as they are kept, newest first. */
  readonly requests: ReadonlyArray<{
    readonly request_id: string;
    readonly operation: string;
    readonly accepted_at: string;
    /** When it was applied; null while it waits. */
    readonly finished_at: string | null;
    readonly status: 'accepted' | 'done' | 'failed';
    /** Those items of the request that name the person. */
    readonly items: ReadonlyArray<{
      /** Index of the item in the request, from 0. */
      readonly index: number;
      /** The item, as it was read. */
      readonly item: { readonly [name: string]: unknown };
      /** Why the item was not applied, or not wholly. */
      readonly failures: ReadonlyArray<{
        readonly code: string;
        readonly field: string | null;
        readonly message: string;
        readonly warning: boolean;
      }>;
    }>;
  }>;
  /** All that are kept, oldest first. */
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
  /** The last field: an answer without it broke off. */
  readonly complete: true;
}

/** What was sent to people and what they did. */
export interface RecordActivitiesBody {
  readonly data: ReadonlyArray<{
    /** Value of the account's primary key. It need not be that of a contact yet: the activity shows when the contact appears. */
    readonly identity: string | number;
    readonly channel: 'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push';
    readonly activity: 'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam';
    /** When it happened, to the millisecond. At most a day after the request, and not before the activities that the account keeps (`activity_retention_months`). */
    readonly occurred_at: string;
    /** Identifier of the record where it comes from, 1 to 255 characters. It makes it safe to send the record again, as it was: one with the same `identity`, `channel`, `occurred_at` (to the millisecond) and `id` as an earlier one changes nothing, and counts as `unchanged`. An `id` alone does not make a repeat: sent again with another moment, identity or channel, the record is another one and is stored beside the first. So keep `occurred_at` with the record, and do not take the time of sending. Records without an `id` are never taken for repeats. */
    readonly id?: string | number | undefined;
    /** Number of the message. */
    readonly message_id?: number | undefined;
    /** Name of the message, such as that of a campaign. */
    readonly msg_name?: string | undefined;
    /** Address from which it was done. Only for `open`, `click`, `unsubscribe` and `spam`. */
    readonly ip?: string | undefined;
    /** Only for `open`, `click`, `unsubscribe` and `spam`. */
    readonly device?: string | undefined;
    /** Only for `open`, `click`, `unsubscribe` and `spam`. */
    readonly os?: string | undefined;
    /** Only for `open`, `click`, `unsubscribe` and `spam`. */
    readonly browser?: string | undefined;
    /** Address that was followed. Only for `click`. */
    readonly link?: string | undefined;
    /** Only for `bounce`: `hard` opts the contact out of the channel. Default: soft. */
    readonly bounce_type?: 'hard' | 'soft' | undefined;
  }>;
}

/** The person who may be stored again. */
export interface RememberBody {
  /** Value of the account's primary key: 1 to 255 characters after trimming; a number is taken as its decimal text. With the primary key EMAIL or MOBILE it fills `email` or `mobile`; a contact that gives both and they differ fails with `identity_mismatch`. */
  readonly identity?: string | number | undefined;
  /** Address that the link is sent to. */
  readonly email?: string | undefined;
  readonly mobile?: string | number | undefined;
}

/** The person may be stored again. */
export interface Remembered {
  /** Number of erased contacts that may come back: several, if they shared an address. */
  readonly people: number;
}

/** A request and what became of it, with its failures. */
export interface RequestDetail {
  readonly request_id: string;
  /** What was asked for. */
  readonly operation: string;
  /** `accepted`: waits to be applied. `done`: applied. `failed`: could not be applied at all. */
  readonly status: 'accepted' | 'done' | 'failed';
  readonly accepted_at: string;
  readonly finished_at: string | null;
  /** Once the request is finished, total = created + updated + unchanged + deleted + failed; before, all but total are 0. */
  readonly counts: {
    /** Items of the request. */
    readonly total: number;
    /** Contacts that were created. */
    readonly created: number;
    /** Contacts that were changed. */
    readonly updated: number;
    /** Contacts that were as the request wanted them. */
    readonly unchanged: number;
    /** Contacts that were deleted. */
    readonly deleted: number;
    /** Items that were not applied; `failures` says why. */
    readonly failed: number;
    /** Parts of items that were left out while the rest was applied; `failures` lists the first 100 of an item and the first 1000 of a request. */
    readonly warnings: number;
  };
  /** In order of the items, at most 1000 in one answer. */
  readonly failures: readonly RequestFailure[];
  /** Send it as `failures_cursor` for the next failures; null when there are none. */
  readonly failures_next_cursor: string | null;
}

/** Why an item of a request was not applied, or only in part. */
export interface RequestFailure {
  /** Index of the item in the request, from 0. */
  readonly index: number;
  /** Stable reason code; docs/errors.md lists them. */
  readonly code: 'identity_invalid' | 'identity_missing' | 'identity_mismatch' | 'identity_taken' | 'identity_ignored' | 'contact_not_found' | 'contact_ambiguous' | 'contact_exists' | 'contact_invalid' | 'too_many_attributes' | 'contact_forgotten' | 'contact_type_refused' | 'attribute_unknown' | 'attribute_type_mismatch' | 'attribute_limit' | 'contact_too_large' | 'attribute_exists' | 'attribute_not_found' | 'attribute_system' | 'attribute_in_use' | 'attribute_repeated' | 'attribute_count' | 'attribute_mapping' | 'attribute_data_type' | 'attribute_default' | 'attribute_defaults' | 'attribute_masked' | 'not_applied' | 'list_unknown' | 'activity_in_future' | 'activity_too_old' | 'withdrawn' | 'given_up' | 'payload_unreadable' | 'internal';
  /** Field of the item, where one is to blame. */
  readonly field?: string | undefined;
  readonly message: string;
  /** True when the rest of the item was applied. */
  readonly warning: boolean;
}

/** A request and what became of it, without its failures. */
export interface RequestSummary {
  readonly request_id: string;
  /** What was asked for. */
  readonly operation: string;
  /** `accepted`: waits to be applied. `done`: applied. `failed`: could not be applied at all. */
  readonly status: 'accepted' | 'done' | 'failed';
  readonly accepted_at: string;
  readonly finished_at: string | null;
  /** Once the request is finished, total = created + updated + unchanged + deleted + failed; before, all but total are 0. */
  readonly counts: {
    /** Items of the request. */
    readonly total: number;
    /** Contacts that were created. */
    readonly created: number;
    /** Contacts that were changed. */
    readonly updated: number;
    /** Contacts that were as the request wanted them. */
    readonly unchanged: number;
    /** Contacts that were deleted. */
    readonly deleted: number;
    /** Items that were not applied; `failures` says why. */
    readonly failed: number;
    /** Parts of items that were left out while the rest was applied; `failures` lists the first 100 of an item and the first 1000 of a request. */
    readonly warnings: number;
  };
}

/** The contacts found, with the requested fields. */
export interface SearchAnswer {
  readonly request_id: string;
  readonly code: 200;
  readonly status: 'success';
  readonly description: string;
  readonly data: ReadonlyArray<{ readonly [name: string]: unknown }>;
  /** Number of all matches, when asked for. */
  readonly count?: number | undefined;
  /** Cursor of the next page; null on the last one. */
  readonly next_cursor?: string | null | undefined;
}

/** The attributes found. */
export interface SearchAttributesAnswer {
  readonly request_id: string;
  readonly code: 200;
  readonly status: 'success';
  readonly description: string;
  readonly data: readonly AttributeRecord[];
  /** Number of all matches, when asked for. */
  readonly count?: number | undefined;
}

/** A search of attributes. An empty object finds all of them. */
export interface SearchAttributesBody {
  /** Combines the groups; required when there is more than one. */
  readonly filtering_criteria_operator?: 'and' | 'or' | undefined;
  /** Groups of conditions; absent or empty = all attributes of the account. */
  readonly filtering_criteria?: ReadonlyArray<{
    /** Combines the conditions of the group; default `and`. */
    readonly condition_operator?: 'and' | 'or' | undefined;
    readonly condition_details: ReadonlyArray<{
      /** `name`, `entity_type`, `data_type` or `category`, in any letter case. */
      readonly field: string;
      /** Not needed. `audience` is refused: attributes are in none. */
      readonly field_category?: 'config' | 'audience' | 'attribute' | undefined;
      /** `equals`; for `name` also `contains` and `starts_with`. */
      readonly operation: string;
      /** Values to compare with, in any letter case: one or more for `equals`, of which any matches, exactly one otherwise; a single one may stand without the array. */
      readonly value?: ReadonlyArray<string | number | boolean> | undefined;
    }>;
  }> | undefined;
  readonly output?: {
    /** Answer with the exact number of matches in `count`. */
    readonly get_count?: boolean | undefined;
    /** Default: name asc. Ties in order of id. */
    readonly sorting?: ReadonlyArray<{
      /** `id`, `name`, `entity_type`, `data_type`, `category`, `created_at` or `updated_at`. */
      readonly field: string;
      /** Default: asc. */
      readonly direction?: 'asc' | 'desc' | undefined;
    }> | undefined;
    readonly pagination?: {
      /** Default: 1. */
      readonly page?: number | undefined;
      /** Rows a page; default 10. */
      readonly limit?: number | undefined;
    } | undefined;
    readonly fields?: readonly string[] | undefined;
  } | undefined;
  /** Accepted here too [older clients]. */
  readonly get_count?: boolean | undefined;
}

/** A search of the contacts of one list or segment. */
export interface SearchAudienceBody {
  /** Left out together with `audience_id` when a condition on `list_id` or `segment_id` names the audience: `equals`, one value, in no `or`. */
  readonly audience_type?: 'list' | 'segment' | undefined;
  /** One or more identifiers: a contact in any of them matches. */
  readonly audience_id?: readonly number[] | undefined;
  /** Combines the groups; required when there is more than one. */
  readonly filtering_criteria_operator?: 'and' | 'or' | undefined;
  /** Groups of conditions; absent or empty = all contacts of the account. */
  readonly filtering_criteria?: ReadonlyArray<{
    /** Combines the conditions of the group; default `and`. */
    readonly condition_operator?: 'and' | 'or' | undefined;
    readonly condition_details: ReadonlyArray<{
      /** Name of a config field, an audience field or an attribute, in any letter case. */
      readonly field: string;
      /** May be left out where the name of the field is unambiguous. */
      readonly field_category?: 'config' | 'audience' | 'attribute' | undefined;
      /** Name of an operation. */
      readonly operation: string;
      /** Values to compare with; a single one may stand without the array. */
      readonly value?: ReadonlyArray<string | number | boolean> | undefined;
    }>;
  }> | undefined;
  readonly output?: {
    /** Answer with the exact number of matches in `count`. */
    readonly get_count?: boolean | undefined;
    /** Default: created_at desc. Nulls come last, ties in order of contact_id. */
    readonly sorting?: ReadonlyArray<{
      /** Config field or attribute. */
      readonly field: string;
      /** Default: asc. */
      readonly direction?: 'asc' | 'desc' | undefined;
    }> | undefined;
    readonly pagination?: {
      /** Default: 1. */
      readonly page?: number | undefined;
      /** Rows a page; default 10. Their values may have 16,777,216 characters together: long texts may need smaller pages. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the answer before: goes on after its last row. The filter and the sorting stay the same; `page` is left out. Another sorting is refused. Another filter is not: the cursor is a position in the sorting, and the answer has the matches behind it. */
      readonly cursor?: string | undefined;
    } | undefined;
    readonly fields?: readonly string[] | undefined;
  } | undefined;
  /** Accepted here too [older clients]. */
  readonly get_count?: boolean | undefined;
}

/** A search of contacts. An empty object finds all of them. */
export interface SearchContactsBody {
  /** Combines the groups; required when there is more than one. */
  readonly filtering_criteria_operator?: 'and' | 'or' | undefined;
  /** Groups of conditions; absent or empty = all contacts of the account. */
  readonly filtering_criteria?: ReadonlyArray<{
    /** Combines the conditions of the group; default `and`. */
    readonly condition_operator?: 'and' | 'or' | undefined;
    readonly condition_details: ReadonlyArray<{
      /** Name of a config field, an audience field or an attribute, in any letter case. */
      readonly field: string;
      /** May be left out where the name of the field is unambiguous. */
      readonly field_category?: 'config' | 'audience' | 'attribute' | undefined;
      /** Name of an operation. */
      readonly operation: string;
      /** Values to compare with; a single one may stand without the array. */
      readonly value?: ReadonlyArray<string | number | boolean> | undefined;
    }>;
  }> | undefined;
  readonly output?: {
    /** Answer with the exact number of matches in `count`. */
    readonly get_count?: boolean | undefined;
    /** Default: created_at desc. Nulls come last, ties in order of contact_id. */
    readonly sorting?: ReadonlyArray<{
      /** Config field or attribute. */
      readonly field: string;
      /** Default: asc. */
      readonly direction?: 'asc' | 'desc' | undefined;
    }> | undefined;
    readonly pagination?: {
      /** Default: 1. */
      readonly page?: number | undefined;
      /** Rows a page; default 10. Their values may have 16,777,216 characters together: long texts may need smaller pages. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the answer before: goes on after its last row. The filter and the sorting stay the same; `page` is left out. Another sorting is refused. Another filter is not: the cursor is a position in the sorting, and the answer has the matches behind it. */
      readonly cursor?: string | undefined;
    } | undefined;
    readonly fields?: readonly string[] | undefined;
  } | undefined;
  /** Accepted here too [older clients]. */
  readonly get_count?: boolean | undefined;
}

/** A segment: a saved filter that is evaluated when it is used. */
export interface Segment {
  /** Number of the list or segment; lists and segments of an account are numbered together. */
  readonly audience_id: number;
  /** Name for people; need not be unique. */
  readonly name: string;
  readonly audience_type: 'segment';
  /** Combines the groups; required when there is more than one. */
  readonly filtering_criteria_operator: 'and' | 'or';
  /** Groups of conditions; absent or empty = all contacts of the account. */
  readonly filtering_criteria: ReadonlyArray<{
    /** Combines the conditions of the group; default `and`. */
    readonly condition_operator?: 'and' | 'or' | undefined;
    readonly condition_details: ReadonlyArray<{
      /** Name of a config field, an audience field or an attribute, in any letter case. */
      readonly field: string;
      /** May be left out where the name of the field is unambiguous. */
      readonly field_category?: 'config' | 'audience' | 'attribute' | undefined;
      /** Name of an operation. */
      readonly operation: string;
      /** Values to compare with; a single one may stand without the array. */
      readonly value?: ReadonlyArray<string | number | boolean> | undefined;
    }>;
  }>;
  /** When it was created. */
  readonly created_at: string;
  /** When its definition was changed last. */
  readonly updated_at: string;
}

/** The number of contacts in a segment now. */
export interface SegmentCount {
  /** Number of the list or segment; lists and segments of an account are numbered together. */
  readonly audience_id: number;
  readonly count: number;
}

/** A segment with its filter and the number of its contacts. */
export interface SegmentDetail {
  /** Number of the list or segment; lists and segments of an account are numbered together. */
  readonly audience_id: number;
  /** Name for people; need not be unique. */
  readonly name: string;
  readonly audience_type: 'segment';
  /** Combines the groups; required when there is more than one. */
  readonly filtering_criteria_operator: 'and' | 'or';
  /** Groups of conditions; absent or empty = all contacts of the account. */
  readonly filtering_criteria: ReadonlyArray<{
    /** Combines the conditions of the group; default `and`. */
    readonly condition_operator?: 'and' | 'or' | undefined;
    readonly condition_details: ReadonlyArray<{
      /** Name of a config field, an audience field or an attribute, in any letter case. */
      readonly field: string;
      /** May be left out where the name of the field is unambiguous. */
      readonly field_category?: 'config' | 'audience' | 'attribute' | undefined;
      /** Name of an operation. */
      readonly operation: string;
      /** Values to compare with; a single one may stand without the array. */
      readonly value?: ReadonlyArray<string | number | boolean> | undefined;
    }>;
  }>;
  /** When it was created. */
  readonly created_at: string;
  /** When its definition was changed last. */
  readonly updated_at: string;
  /** Contacts that the segment has at this moment; null when it cannot be evaluated, and `count` says why. */
  readonly contact_count: number | null;
}

/** A sign-up that waits for its confirmation. */
export interface SignUp {
  readonly sign_up_id: string;
  /** The request that creates the contact, in the request log. */
  readonly request_id: string;
  /** Until when the link confirms. */
  readonly expires_at: string;
}

/** The secret that signs the callbacks of an account. */
export interface SigningSecret {
  /** Key of the HMAC, as text. */
  readonly secret: string;
  /** When it was made. */
  readonly created_at: string;
  /** The secret before, while it signs beside the new one: for 24 hours after a rotation. */
  readonly previous: {
    readonly secret: string;
    /** Until when it signs too. */
    readonly expires_at: string;
  } | null;
}

/** Changes of an account. What is left out stays as it is. */
export interface UpdateAccountBody {
  /** Name for people; need not be unique. */
  readonly name?: string | undefined;
  /** Attribute whose value identifies a contact: `EMAIL`, `MOBILE`, or the name of a custom text attribute, which is created when it does not exist. Can change only while the account has no contacts and no requests wait. */
  readonly primary_key?: string | undefined;
  /** IANA name of the time zone in which the account counts days. */
  readonly time_zone?: string | undefined;
  readonly settings?: {
    /** A create with an identity that exists is refused as a whole with 400. Default: false. */
    readonly reject_existing_contacts?: boolean | null | undefined;
    /** Contacts that were erased (`DELETE …/contacts/{contact_id}?mode=erase`) are refused when they are sent again, with `contact_forgotten`; so are activities of them. Default: true. */
    readonly reject_forgotten_contacts?: boolean | null | undefined;
    /** Unknown attribute names in contacts create the attribute, of the type of their first value. Default: false. */
    readonly auto_create_attributes?: boolean | null | undefined;
    /** Cells of exports that a spreadsheet would take for a formula (beginning with =, +, -, @, their full-width forms, a tab or a line break, also after apostrophes) get an apostrophe in front. A last column `roster:formula_guard` says so, and an import takes the apostrophe off again. Values of number attributes stay. Without it, files are exact. Default: false. */
    readonly csv_formula_guard?: boolean | null | undefined;
    /** Requests a minute that one API key may send to one process; 0 = no limit, null = the setting of the service. Default: null. */
    readonly rate_limit?: number | null | undefined;
    /** Months for which activities are kept besides the current one; whole months (UTC) are dropped. Older ones are refused, and shown no more. Default: 25. */
    readonly activity_retention_months?: number | null | undefined;
    /** Requests of batch add (v3) that the account may send in a day, counted from midnight to midnight in its time zone; 0 = none. Default: 100000. */
    readonly daily_batch_limit?: number | null | undefined;
  } | undefined;
}

/** The attributes after the change. */
export interface UpdateAttributesAnswer {
  readonly request_id: string;
  readonly code: 200;
  readonly status: 'success';
  readonly description: string;
  readonly data: readonly AttributeRecord[];
}

/** Changes of attributes. They are applied as a whole or not at all. */
export interface UpdateAttributesBody {
  readonly data: ReadonlyArray<{
    /** Number of the attribute. */
    readonly id?: number | undefined;
    /** Present name of the attribute. */
    readonly name?: string | undefined;
    /** New name. Values, segments and mappings stay. Renaming a masked attribute needs the scope `unmasked`. */
    readonly new_name?: string | undefined;
    /** `text`: at most 1,000 characters. `long_text`: at most 65,536, neither exported nor searched except for null. `number`: a finite double. `boolean`. `date`: `YYYY-MM-DD`. `datetime`: RFC 3339, stored in UTC. */
    readonly data_type?: 'text' | 'long_text' | 'number' | 'boolean' | 'date' | 'datetime' | undefined;
    /** Value that new contacts get which do not carry the attribute; of the data type of the attribute; null: none. The defaults of an account have at most 131,072 characters together. */
    readonly default_value?: string | number | boolean | null | undefined;
    /** Name of a system attribute (FIRST_NAME, LAST_NAME, GENDER, BIRTH_DATE, CITY, STATE, COUNTRY, POSTAL_CODE, LANGUAGE, TIME_ZONE) of the same data type: reading or writing that name then reads or writes this attribute. One attribute a target; null: none. */
    readonly mapping?: string | null | undefined;
    /** How values are hidden from API keys without the scope `unmasked`. `partial`: all but the last four characters (as readers see them: a letter with its marks is one) are `*`; values of up to eight characters are hidden wholly. `full`: hidden wholly. Under a mapping, that of the two attributes which hides more counts. Hiding less than before needs the scope `unmasked`; so does a change of `mapping` that has this effect. */
    readonly data_masking?: 'none' | 'partial' | 'full' | undefined;
    /** Default: custom. */
    readonly category?: 'profile' | 'demographic' | 'location' | 'behaviour' | 'transaction' | 'preference' | 'custom' | undefined;
  }>;
}

/** Changes of contacts. What is left out stays as it is. */
export interface UpdateContactsBody {
  readonly data: {
    /** Type that every contact of the request must have after it. It moves no contact by itself: an identity or a subscription of the same item does. A contact that would have another type fails with `contact_type_refused`, and nothing of it changes. */
    readonly contact_type?: 'anonymous' | 'identified' | 'unconfirmed' | 'confirmed' | 'blacklisted' | undefined;
    readonly contacts: ReadonlyArray<{
      /** Identifier given by the service. */
      readonly contact_id?: number | undefined;
      /** Value of the account's primary key: 1 to 255 characters after trimming; a number is taken as its decimal text. With the primary key EMAIL or MOBILE it fills `email` or `mobile`; a contact that gives both and they differ fails with `identity_mismatch`. */
      readonly identity?: string | number | undefined;
      /** E-mail address; null clears it. */
      readonly email?: string | null | undefined;
      /** Mobile number with the country code, 6 to 15 digits, as text or as a number; a leading +, spaces and dashes are removed; null clears it. */
      readonly mobile?: string | number | null | undefined;
      /** Attribute name to value. Merged key by key into what the contact has; null clears a value. A value that does not fit the data type of its attribute is left out, and so is a name that the account does not have, and a value of more than 1,000 characters where all of the contact would have more than 1,048,576 together. EMAIL and MOBILE are refused here: they are fields of the contact. */
      readonly attributes?: { readonly [name: string]: string | number | boolean | null } | undefined;
      /** Lists to add the contact to or to remove it from, in order. */
      readonly audience_details?: ReadonlyArray<{
        /** One or more identifiers of lists; a single one may stand without the array. */
        readonly audience_id: readonly number[];
        readonly audience_type?: 'list' | undefined;
        /** Default: add. */
        readonly action?: 'add' | 'remove' | undefined;
      }> | undefined;
      /** By channel: false = opted out, true = opted in again. `email: false` makes the contact `blacklisted`; `email: true` gives a blacklisted contact the type that it had before. */
      readonly subscriptions?: {
        readonly email?: boolean | undefined;
        readonly sms?: boolean | undefined;
        readonly whatsapp?: boolean | undefined;
      } | undefined;
    }>;
  };
}

/** Changes of a list. */
export interface UpdateListBody {
  /** Name for people; need not be unique. */
  readonly name?: string | undefined;
}

/** Whether the attribute has an index of its own. */
export interface UpdateOperatorAttributeBody {
  /** Whether the values shall have an index. */
  readonly indexed: boolean;
}

/** Changes of a segment. What is left out stays as it is. */
export interface UpdateSegmentBody {
  /** Name for people; need not be unique. */
  readonly name?: string | undefined;
  /** Combines the groups; required when there is more than one. */
  readonly filtering_criteria_operator?: 'and' | 'or' | undefined;
  /** Groups of conditions; absent or empty = all contacts of the account. */
  readonly filtering_criteria?: ReadonlyArray<{
    /** Combines the conditions of the group; default `and`. */
    readonly condition_operator?: 'and' | 'or' | undefined;
    readonly condition_details: ReadonlyArray<{
      /** Name of a config field, an audience field or an attribute, in any letter case. */
      readonly field: string;
      /** May be left out where the name of the field is unambiguous. */
      readonly field_category?: 'config' | 'audience' | 'attribute' | undefined;
      /** Name of an operation. */
      readonly operation: string;
      /** Values to compare with; a single one may stand without the array. */
      readonly value?: ReadonlyArray<string | number | boolean> | undefined;
    }>;
  }> | undefined;
}

/** One activity of a person. */
export interface UserActivity {
  readonly activity: 'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe' | 'spam';
  readonly message_id?: number | undefined;
  readonly msg_name?: string | undefined;
  /** When it happened, in the time zone of the account. */
  readonly activity_date: string;
  /** Where the person did something, and it is known. */
  readonly ip?: string | undefined;
  /** Where the person did something, and it is known. */
  readonly device?: string | undefined;
  /** Where the person did something, and it is known. */
  readonly os?: string | undefined;
  /** Where the person did something, and it is known. */
  readonly browser?: string | undefined;
  /** Of a click. */
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
  /** What is asked for: `primary_key`, `channel`, `from_date`, `to_date` (`fromdate`, `todate` are accepted). */
  readonly data: string | UserActivityData;
  /** Always `export_data`. */
  readonly type?: 'export_data' | undefined;
  /** Always `get_user_channel_activity_data`. */
  readonly activity?: 'get_user_channel_activity_data' | undefined;
  /** The API key, unless it is in the query. */
  readonly apikey?: string | undefined;
}

/** Whose activity to return, on which channel and days. */
export interface UserActivityData {
  /** Value of the account's primary key. */
  readonly primary_key: string | number;
  readonly channel: 'email' | 'sms' | 'whatsapp' | 'app_push' | 'web_push';
  /** First day of the period, DDMMYYYY, in the time zone of the account. */
  readonly from_date: string;
  /** Last day, at most 7 days with the first one, of the period, DDMMYYYY, in the time zone of the account. */
  readonly to_date: string;
}

/** An error of apiv2. */
export interface UserActivityErrorAnswer {
  readonly status: 'error';
  /** What kind of error it is. */
  readonly result: string;
  /** What is wrong and what to do; every fault of the request, each a sentence. */
  readonly details: string;
}

/** `UserActivityQuery` of the interface; /docs of a running service describes it. */
export interface UserActivityQuery {
  /** Always `export_data`. */
  readonly type?: 'export_data' | undefined;
  /** Always `get_user_channel_activity_data`. */
  readonly activity?: 'get_user_channel_activity_data' | undefined;
}

/** The bodies and answers of operations, by their names. */
export interface Shapes {
  AcceptedAnswer: AcceptedAnswer;
  Account: Account;
  AccountDetail: AccountDetail;
  AccountSettings: AccountSettings;
  ApiKey: ApiKey;
  AttributeRecord: AttributeRecord;
  AttributeUsage: AttributeUsage;
  AttributeUsageAnswer: AttributeUsageAnswer;
  AttributeUsageBody: AttributeUsageBody;
  AttributeUse: AttributeUse;
  AuditLogEntry: AuditLogEntry;
  BatchAddAnswer: BatchAddAnswer;
  BatchAddBody: BatchAddBody;
  BatchAddErrorAnswer: BatchAddErrorAnswer;
  BatchAddReport: BatchAddReport;
  ContactTypeAnswer: ContactTypeAnswer;
  CreateAccountBody: CreateAccountBody;
  CreateApiKeyBody: CreateApiKeyBody;
  CreateAttributesBody: CreateAttributesBody;
  CreateContactsBody: CreateContactsBody;
  CreateImportBody: CreateImportBody;
  CreateListBody: CreateListBody;
  CreateSegmentBody: CreateSegmentBody;
  CreateSignUpBody: CreateSignUpBody;
  CreatedAccount: CreatedAccount;
  CreatedApiKey: CreatedApiKey;
  DeleteAttributesBody: DeleteAttributesBody;
  DeleteContactsBody: DeleteContactsBody;
  Delivery: Delivery;
  DeliveryAttempt: DeliveryAttempt;
  DeliveryDetail: DeliveryDetail;
  Erasure: Erasure;
  ErrorAnswer: ErrorAnswer;
  ErrorEntry: ErrorEntry;
  Export: Export;
  ExportAcceptedAnswer: ExportAcceptedAnswer;
  ExportAudienceBody: ExportAudienceBody;
  ExportErrorAnswer: ExportErrorAnswer;
  ExportReport: ExportReport;
  Forgotten: Forgotten;
  Import: Import;
  ImportColumn: ImportColumn;
  List: List;
  MailDetail: MailDetail;
  MailSummary: MailSummary;
  OperatorAttribute: OperatorAttribute;
  PersonExport: PersonExport;
  RecordActivitiesBody: RecordActivitiesBody;
  RememberBody: RememberBody;
  Remembered: Remembered;
  RequestDetail: RequestDetail;
  RequestFailure: RequestFailure;
  RequestSummary: RequestSummary;
  SearchAnswer: SearchAnswer;
  SearchAttributesAnswer: SearchAttributesAnswer;
  SearchAttributesBody: SearchAttributesBody;
  SearchAudienceBody: SearchAudienceBody;
  SearchContactsBody: SearchContactsBody;
  Segment: Segment;
  SegmentCount: SegmentCount;
  SegmentDetail: SegmentDetail;
  SignUp: SignUp;
  SigningSecret: SigningSecret;
  UpdateAccountBody: UpdateAccountBody;
  UpdateAttributesAnswer: UpdateAttributesAnswer;
  UpdateAttributesBody: UpdateAttributesBody;
  UpdateContactsBody: UpdateContactsBody;
  UpdateListBody: UpdateListBody;
  UpdateOperatorAttributeBody: UpdateOperatorAttributeBody;
  UpdateSegmentBody: UpdateSegmentBody;
  UserActivity: UserActivity;
  UserActivityAnswer: UserActivityAnswer;
  UserActivityBody: UserActivityBody;
  UserActivityData: UserActivityData;
  UserActivityErrorAnswer: UserActivityErrorAnswer;
}

/** The queries of operations, by their names. */
export interface Queries {
  EraseContactQuery: EraseContactQuery;
  GetRequestQuery: GetRequestQuery;
  ListDeliveriesQuery: ListDeliveriesQuery;
  ListExportsQuery: ListExportsQuery;
  ListImportsQuery: ListImportsQuery;
  ListMailsQuery: ListMailsQuery;
  ListRequestsQuery: ListRequestsQuery;
  PageQuery: PageQuery;
  UserActivityQuery: UserActivityQuery;
}
