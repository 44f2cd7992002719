/** Texts of the pages of developers. */
export const texts = {
  title: 'Developers',
};
