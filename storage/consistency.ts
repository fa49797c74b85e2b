/** Queries of a port, by their groups: all of a group, or some. */
export type SomeOf<Port> = { readonly [Group in keyof Port]?: "all" | readonly (keyof Port[Group])[] };

/** Whether a query is one of some. */
export const isOneOf = (
  some: Readonly<Record<string, "all" | readonly string[] | undefined>>,
  group: string,
  method: string,
): boolean => some[group] === "all" || (some[group]?.includes(method) ?? false);

/**
 * A port on the thread that owns the connection, where a synchronous result is allowed; callers of the thread get
 * promises.
 */
export type OnThread<Port> = {
  [Group in keyof Port]: {
    [Method in keyof Port[Group]]: Port[Group][Method] extends (...parameters: infer P) => Promise<infer V>
      ? (...parameters: P) => V | Promise<V>
      : never;
  };
};
