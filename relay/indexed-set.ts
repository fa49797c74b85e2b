/** Field of a member that stores its index in an indexed set. */
export interface Member {
  /** Its index in the set; −1 outside of it. To be written by the set alone. */
  slot: number;
}

/**
 * A set whose members change with every request. JavaScript's own Set would replace its table again and again, and each
 * old table keeps its successor, and with it the requests of that moment, alive until the next full garbage collection.
 */
export class IndexedSet<M extends Member> {
  private readonly members: M[] = [];

  get size(): number {
    return this.members.length;
  }

  has(member: M): boolean {
    return member.slot !== -1;
  }

  add(member: M): void {
    member.slot = this.members.length;
    this.members.push(member);
  }

  /** Ignores values that are not members. */
  delete(member: M): void {
    const { slot } = member;
    if (slot === -1) return;
    member.slot = -1;
    const last = this.members.pop();
    if (last === undefined || last === member) return;
    this.members[slot] = last;
    last.slot = slot;
  }

  /** The current members; the set must not be changed during iteration. */
  values(): Iterable<M> {
    return this.members;
  }

  /** Those that are in it now; may change it meanwhile. */
  toArray(): M[] {
    return [...this.members];
  }
}
