/** The values to send: edited ones as typed, all others as they are stored `now`. */
export const mergeEdits = <Values extends object>(typed: Values, before: Values, now: Values): Values => {
  const isEdited = (name: keyof Values): boolean => !Object.is(typed[name], before[name]);
  const names = Object.keys(typed) as (keyof Values)[];
  return Object.fromEntries(names.map((name) => [name, isEdited(name) ? typed[name] : now[name]])) as Values;
};
