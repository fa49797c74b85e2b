/**
 * Focuses the first invalid field of a form.
 * @param mistakes by field name, in field order.
 * @returns whether there is any.
 */
export const focusMistake = (form: HTMLFormElement, mistakes: object): boolean => {
  const [name] = Object.keys(mistakes);
  if (name === undefined) return false;
  // An amount typed in money is held as points in a hidden field of the form.
  form.querySelector<HTMLElement>(`[name="${name}"]:not([type=hidden]), [data-name="${name}"]`)?.focus();
  return true;
};
