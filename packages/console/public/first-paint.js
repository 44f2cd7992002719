// Sets the colour scheme before the first paint, so that a dark page does not flash white. The
// styles take `color-scheme` from the attribute, which changes when a person chooses another scheme.
(() => {
  let chosen = 'auto';
  try {
    chosen = localStorage.getItem('roster-color-scheme') || 'auto';
  } catch {
    // The browser allows no storage. Use the scheme of the system.
  }
  const isDark = chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
})();
