/** Texts of the pages of contacts. */
export const texts = {
  title: 'Contacts',
};
