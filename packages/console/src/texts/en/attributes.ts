/** Texts of the pages of attributes. */
export const texts = {
  title: 'Attributes',
  text: 'The typed fields of contacts in this account.',
  system: 'System',
  columns: {
    name: 'Name',
    type: 'Type',
    masking: 'Masking',
    mapping: 'Mapped to',
    default: 'Default value',
    index: 'Index',
  },
  types: {
    text: 'Text',
    long_text: 'Long text',
    number: 'Number',
    boolean: 'Yes or no',
    date: 'Date',
    datetime: 'Date and time',
  },
  masks: { none: 'Not masked', partial: 'Partly masked', full: 'Fully masked' },
  index: {
    wanted: 'Keep an index of the values',
    explanation: 'Makes ranges, sorting and the beginning of texts fast. Every index slows down writes.',
    none: 'There is no index.',
    building: 'The index is being built.',
    ready: 'The index is ready.',
    failed: 'The index could not be built.',
  },
  values: {
    title: 'Most frequent values',
    find: 'Find a value',
    exact: '{{contacts}} contacts, {{values}} different values',
    estimated: 'About {{contacts}} contacts, estimated from {{sample}}. Rare values can be missing.',
    none: 'No contact has such a value.',
  },
  empty: { title: 'No attributes', text: 'Attributes are the typed fields of contacts.' },
};
