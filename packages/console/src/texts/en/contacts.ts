/** Texts of the pages of contacts. */
export const texts = {
  title: 'Contacts',
  filter: 'Filter',
  bulkChanges: 'Bulk changes',
  empty: {
    title: 'No contacts yet',
    text: 'Contacts are the people that you write to. Import them from a file, or send them to the API.',
    import: 'Import a file',
  },
};
