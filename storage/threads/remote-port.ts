/** Calls a method of a port. */
export type PortCall = (group: string, method: string, parameters: unknown[]) => Promise<unknown>;

/** An object that has every name, made when it is first read. */
const everyName = <Value>(make: (name: string) => Value): object =>
  new Proxy<Record<string, Value>>(
    {},
    {
      get(made, name) {
        // An object with a method of this name would be taken for a promise.
        if (typeof name === "symbol" || name === "then") return undefined;
        made[name] ??= make(name);
        return made[name];
      },
      ownKeys() {
        throw new Error("a port elsewhere does not know its methods: call them, or pass them on one by one");
      },
    },
  );

/** A port whose methods run elsewhere: which there are, its type says. */
export const remotePort = <Port>(call: PortCall): Port =>
  // Functions by name lose their types on the way.
  everyName((group) =>
    everyName(
      (method) =>
        (...parameters: unknown[]) =>
          call(group, method, parameters),
    ),
  ) as Port;
