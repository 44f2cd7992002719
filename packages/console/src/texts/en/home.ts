/** Texts of the pages of home. */
export const texts = {
  title: 'Home',
};
