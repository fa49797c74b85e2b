/**
 * Runs steps with the same key sequentially, in the order of their calls. For edits that read a value, store its change
 * and then apply it: two concurrent ones would both start from the same value.
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
