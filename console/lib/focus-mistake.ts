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

/** Focuses the first field with a message in a form, and opens the sections around it. @returns undefined for none */
export const focusInvalid = (form: HTMLElement): HTMLElement | undefined => {
  const marked = form.querySelector("[aria-invalid=true], [data-invalid]");
  for (let box = marked?.closest("details"); box; box = box.parentElement?.closest("details"))
    box.open = true;
  const field = marked?.matches(CONTROLS) ? marked : marked?.querySelector(CONTROLS);
  if (!(field instanceof HTMLElement)) return undefined;
  // In the middle: at the edge, a form's fixed buttons would cover the message below the field.
  field.focus({ preventScroll: true });
  field.scrollIntoView({ block: "center" });
  return field;
};

const CONTROLS = "input, textarea, select, button, [tabindex], [contenteditable=true]";
