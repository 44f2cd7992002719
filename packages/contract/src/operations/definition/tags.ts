/** The headings of the documentation, in the order of the page `/docs/api`. Each operation has one. */
export const tags = [
  {
    name: 'Contacts',
    description:
      'Create, update, delete, search and find contacts. The paths with `/v5` need an API key, and are also served without `/v5`.',
  },
  {
    name: 'Attributes',
    description:
      'The typed fields of contacts: create, search, update, delete them, and see where they are used. Needs an API key. Every path is also served without `/v5`.',
  },
  {
    name: 'Batch add',
    description:
      'The older way to add contacts to a list, up to 1000 in a call. Needs an API key with the scope `contacts:write`.',
  },
  {
    name: 'Older calls',
    description:
      'Calls that older clients still send. Each becomes one of the operations of today. Use those in new programs.',
  },
  {
    name: 'Sign-in',
    description: 'How people sign in to the console, and sign out. Needs no credential: the answers set cookies.',
  },
  {
    name: 'Profile',
    description:
      'What people do with their own user: password, sessions, authenticator app, passkeys, personal access tokens.',
  },
  {
    name: 'Members',
    description: 'The people with a role in an account, invitations, and the users of the installation.',
  },
  { name: 'Accounts', description: 'Tenants: each has its contacts, attributes, audiences and API keys.' },
  {
    name: 'API keys',
    description:
      'Credentials of an account. Several keys can be valid at once, so that you can rotate them without a gap.',
  },
  {
    name: 'Attribute indexes',
    description:
      'The attributes of an account as operators see them, and the indexes on their values. Indexes make ranges, sorting and searches for the beginning of a text fast.',
  },
  { name: 'Lists', description: 'Audiences with explicit members.' },
  { name: 'Segments', description: 'Audiences by a stored filter, which is evaluated at each use.' },
  {
    name: 'Contact profiles',
    description: 'One contact as operators see it: its fields, its timeline, and changing it.',
  },
  { name: 'Activities', description: 'What was sent to people and what they did with it.' },
  {
    name: 'Statistics',
    description: 'Growth of contacts, activity by day and message, and what runs or failed.',
  },
  {
    name: 'Lifecycle',
    description: 'Sign-up with double opt-in, and changes of the contact type by operators.',
  },
  {
    name: 'Privacy',
    description: 'Requests of people about their data: export and erase all data about one person.',
  },
  {
    name: 'Requests',
    description: 'Accepted requests: status, counts, and every failure with its reason.',
  },
  { name: 'Mails', description: 'Mails of the service to people, and whether the mail server accepted them.' },
  {
    name: 'Deliveries',
    description: 'Callbacks: what was sent and where, every attempt, replay, and the signing secret.',
  },
  {
    name: 'Exports',
    description:
      'Contacts as CSV files: of an audience with an API key, or of an audience or a filter with the operator API. Schedules export at regular times.',
  },
  {
    name: 'Imports',
    description:
      'Files of contacts, CSV or NDJSON. Create an import, send its file, and see its progress and the rows that failed.',
  },
  {
    name: 'Bulk changes',
    description: 'One action on all contacts that match a filter, with progress and a list of failures.',
  },
  {
    name: 'Running work',
    description: 'What runs now in an account, and how far it is: as a list, or as events.',
  },
  { name: 'Events', description: 'Changes of contacts for other systems, in the order of commits.' },
  { name: 'Saved views', description: 'States of console pages, with a name.' },
  { name: 'System', description: 'The installation: versions, database, disk, workers and backups.' },
  { name: 'Audit log', description: 'Every change, with its time and author.' },
] as const;

/** Heading under which the documentation lists an operation. */
export type Tag = (typeof tags)[number]['name'];
