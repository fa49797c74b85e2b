/**
 * Changes the elements of a list.
 * @param change returns the element's new value, the same value to keep it, or undefined to remove it.
 * @returns the same list if nothing changed.
 */
export const changeList = (
  list: readonly unknown[],
  change: (element: unknown) => unknown,
): readonly unknown[] => {
  let changed: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const element = list[index];
    const value = change(element);
    if (value !== element) changed ??= list.slice(0, index);
    if (value !== undefined) changed?.push(value);
  }
  return changed ?? list;
};
