const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_CHARACTERS = 10;

/** Whether a text is a day of the calendar. */
export const isDay = (text: unknown): text is string => {
  if (typeof text !== "string" || !DAY.test(text)) return false;
  const at = Date.parse(text);
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(text);
};

/** Whether the day of a moment exists: `Date.parse` takes 30 February for 2 March. */
export const isOnDay = (moment: string): boolean => isDay(moment.slice(0, DAY_CHARACTERS));
