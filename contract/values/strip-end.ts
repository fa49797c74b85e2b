/**
 * A text without the characters of one kind at its end. A pattern such as `/_+$/` looks at every run of them again from each
 * of its characters: a long run that is not at the end would take the square of its length.
 * @param character one code unit.
 */
export const stripEnd = (text: string, character: string): string => {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
};
