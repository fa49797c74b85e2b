/** What a query waits for. What was changed before it was asked is seen in any case. */
export type Consistency =
  /** Nothing: charges do not change what is asked for. */
  | "any"
  /** Until every charge that was answered for is in the accounts. */
  | "afterJournal"
  /** Until, moreover, every line of what was committed is in the log. */
  | "afterOutbox";

/**
 * What a change waits for before it is done: until it is committed, and for nothing else. Code that takes changes over in memory
 * relies on being answered in the order in which they were stored; for the lines that the log has of one, its readers wait.
 */
export type Completion = "stored";

/** An entry for each method of a port: one that is new has to say what it waits for. */
export type Each<Port, Entry> = {
  readonly [Group in keyof Port]: { readonly [Method in keyof Port[Group]]: Entry };
};

/**
 * A port as an adapter has it, on the thread that owns the connection: what is no promise there is one on the other side.
 */
export type OnThread<Port> = {
  [Group in keyof Port]: {
    [Method in keyof Port[Group]]: Port[Group][Method] extends (...parameters: infer P) => Promise<infer V>
      ? (...parameters: P) => V | Promise<V>
      : never;
  };
};
