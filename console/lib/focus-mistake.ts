/**
 * Puts the focus on the first field of a form that has a mistake.
 * @param mistakes by the names of the fields, in their order.
 * @returns whether there is any.
 */
export const focusMistake = (form: HTMLFormElement, mistakes: object): boolean => {
  const [name] = Object.keys(mistakes);
  if (name === undefined) return false;
  const control = form.elements.namedItem(name);
  if (control instanceof HTMLElement) control.focus();
  return true;
};
