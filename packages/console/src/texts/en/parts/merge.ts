/** Texts for two people who change the same thing. */
export const texts = {
  title: 'Somebody else changed this too',
  text: 'While you were editing, “{{field}}” got another value. Which one should stay?',
  textMany: 'While you were editing, these fields got other values. Choose one for each field. Nothing is saved yet.',
  theirs: 'Their value',
  yours: 'Your value',
  keepTheirs: 'Keep theirs',
  useBoth: 'Keep both together',
  useYours: 'Use mine',
  save: 'Save my choice',
  merged: 'Saved. Somebody else changed another field at the same time; both changes are kept.',
};
