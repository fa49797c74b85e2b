import type { Services } from "./services";

/** A value that all routes of one server share, made when a route first asks for it. */
export const sharedBy = <T>(create: (services: Services) => T): ((services: Services) => T) => {
  const made = new WeakMap<Services, { readonly value: T }>();
  return (services) => {
    const known = made.get(services) ?? { value: create(services) };
    made.set(services, known);
    return known.value;
  };
};
