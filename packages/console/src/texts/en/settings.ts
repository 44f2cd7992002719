/** Texts of the pages of settings. */
export const texts = {
  title: 'Settings',
};
