/** A section of the navigation: paths of documents below `/docs`, in the order of reading. */
export interface NavigationSection {
  readonly title: string;
  readonly paths: readonly string[];
}

/** The documents by reader. A test checks that each exists, and that none is missing. */
export const navigation: readonly NavigationSection[] = [
  {
    title: 'Guides',
    paths: ['guides/marketer', 'guides/developer', 'guides/operator', 'guides/privacy-officer', 'glossary'],
  },
  {
    title: 'Moving in',
    paths: [
      'moving-in',
      'moving-in/spreadsheet',
      'moving-in/mailchimp',
      'moving-in/sendgrid',
      'moving-in/hubspot',
      'moving-in/listmonk',
      'moving-in/klaviyo',
    ],
  },
  {
    title: 'For developers',
    paths: [
      'tour',
      'attributes',
      'lifecycle',
      'imports',
      'exports',
      'callbacks',
      'event-subscriptions',
      'activity',
      'derived-attributes',
      'batch-add',
      'errors',
      'limits',
      'client',
    ],
  },
  {
    title: 'For operators',
    paths: ['operations', 'layouts', 'config', 'people-and-rights', 'mails', 'cli', 'troubleshooting', 'benchmarks'],
  },
  { title: 'Privacy and security', paths: ['privacy', 'security'] },
  {
    title: 'Contract',
    paths: [
      'contract',
      'contract/contacts',
      'contract/search',
      'contract/attributes',
      'contract/audiences',
      'contract/bulk-changes',
      'contract/profiles',
      'contract/activities',
      'contract/statistics',
      'contract/imports',
      'contract/exports',
      'contract/running-work',
      'contract/batch-add',
      'contract/older-calls',
      'contract/callbacks',
      'contract/privacy',
      'contract/lifecycle',
      'contract/people-and-rights',
      'contract/accounts',
      'contract/requests',
      'contract/mails',
      'contract/audit-log',
      'contract/events',
      'contract/event-subscriptions',
      'contract/system',
      'contract/decided',
    ],
  },
  { title: 'The project', paths: ['changelog', 'decisions'] },
];
