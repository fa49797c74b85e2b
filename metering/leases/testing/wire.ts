import type { Process } from "./installation";

export interface Message {
  /** The other end than the database. */
  readonly node: Process;
  readonly isToNode: boolean;
  /** For the trace. */
  readonly text: string;
  notBefore: number;
  deliver(): void;
}

/** Takes an item out; the order of the others is of no account. */
export const takeOut = <T>(list: T[], index: number): void => {
  const last = list.pop();
  if (last !== undefined && index < list.length) list[index] = last;
};

/** More messages than that without any time going by are a circle. */
const MAX_AT_ONCE = 10_000;

/** Messages in transit between nodes and database. */
export class Wire {
  private readonly messages: Message[] = [];

  get length(): number {
    return this.messages.length;
  }

  push(message: Message): void {
    this.messages.push(message);
  }

  /** @param index below the length. */
  at(index: number): Message | undefined {
    return this.messages[index];
  }

  /** Removes a message; the last one moves to its index. */
  drop(index: number): void {
    takeOut(this.messages, index);
  }

  /** Ends all delays. */
  hurry(): void {
    for (const message of this.messages) message.notBefore = 0;
  }

  /**
   * Delivers all messages in order, including the messages they cause.
   * @returns false when it does not come to an end.
   */
  carryAll(carry: (message: Message) => void): boolean {
    let carried = 0;
    for (const message of this.messages) {
      carried += 1;
      if (carried > MAX_AT_ONCE) return false;
      carry(message);
    }
    this.messages.length = 0;
    return true;
  }
}
