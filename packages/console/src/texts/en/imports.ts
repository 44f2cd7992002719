/** Texts of the pages of imports. */
export const texts = {
  title: 'Imports',
};
