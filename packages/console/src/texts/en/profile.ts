/** Texts of the pages of profile. */
export const texts = {
  title: 'Profile',
};
