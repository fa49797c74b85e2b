/* Names in camel case, as code has them, and in snake case, as the wire and the tables have them. */

export type Camel<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

export type Snake<Name> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : Name;

/** A function of names that computes each once. */
const cached = (convert: (name: string) => string): ((name: string) => string) => {
  const known = new Map<string, string>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const converted = convert(name);
    known.set(name, converted);
    return converted;
  };
};

export const toCamel = cached((name) =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
);
export const toSnake = cached((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
