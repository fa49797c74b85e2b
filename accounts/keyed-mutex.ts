/**
 * Runs steps with the same key one after another, in the order in which they were asked for. For edits that read a value,
 * store its change and then take it over: two at once would both start from the same value.
 */
export class KeyedMutex<Key> {
  private readonly last = new Map<Key, Promise<unknown>>();

  run<T>(key: Key, step: () => Promise<T>): Promise<T> {
    const turn = (this.last.get(key) ?? Promise.resolve()).then(step, step);
    this.last.set(key, turn);
    const forget = (): void => {
      if (this.last.get(key) === turn) this.last.delete(key);
    };
    turn.then(forget, forget);
    return turn;
  }
}
