/** A part of a path in clear. What is not escaped properly stands for itself: no model has such a name. */
export const decodeSegment = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
