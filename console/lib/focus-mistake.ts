/**
 * Puts the focus on the first field of a form that has a mistake.
 * @param mistakes by the names of the fields, in their order.
 * @returns whether there is any.
 */
export const focusMistake = (form: HTMLFormElement, mistakes: object): boolean => {
  const [name] = Object.keys(mistakes);
  if (name === undefined) return false;
  // An amount that is typed in money stands in its form as points, in a field that is not seen.
  form.querySelector<HTMLElement>(`[name="${name}"]:not([type=hidden]), [data-name="${name}"]`)?.focus();
  return true;
};
