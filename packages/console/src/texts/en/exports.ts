/** Texts of the pages of exports. */
export const texts = {
  title: 'Exports',
};
