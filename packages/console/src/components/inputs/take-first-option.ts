/**
 * Keeps the Enter key in a field with an open list from sending the form. If the list has lost its
 * mark, as on a slow machine, the key takes the first option that matches the text.
 */
export function takeFirstOption(): void {
  // React handles the event first: if an option is marked, the list has taken it already.
  document.addEventListener('keydown', (event) => {
    const { target: field } = event;
    if (event.key !== 'Enter' || event.isComposing || event.defaultPrevented) return;
    if (!(field instanceof HTMLInputElement) || field.form === null) return;
    if (field.getAttribute('aria-expanded') !== 'true') return;
    event.preventDefault();
    const list = document.getElementById(field.getAttribute('aria-controls') ?? '');
    // The text can also be the name of the present value, which remains.
    if (list === null || field.value === '' || list.querySelector('[data-combobox-active]') !== null) return;
    list.querySelector<HTMLElement>('[data-combobox-option]:not([data-combobox-disabled])')?.click();
  });
}
