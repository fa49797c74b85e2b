/** What a crowd keeps in its members. */
export interface Member {
  /** Where it stands in its crowd; −1 outside of it. To be written by the crowd alone. */
  place: number;
}

/**
 * A set whose members come and go with every request. JavaScript's own Set replaces its table again and again when
 * that is so, and each table that has grown old keeps its successor, and with it the requests of that moment, alive
 * until the next full garbage collection.
 */
export class Crowd<M extends Member> {
  private readonly members: M[] = [];

  get size(): number {
    return this.members.length;
  }

  has(member: M): boolean {
    return member.place !== -1;
  }

  add(member: M): void {
    member.place = this.members.length;
    this.members.push(member);
  }

  /** Does nothing for what is not in it. */
  delete(member: M): void {
    const { place } = member;
    if (place === -1) return;
    member.place = -1;
    const last = this.members.pop();
    if (last === undefined || last === member) return;
    this.members[place] = last;
    last.place = place;
  }

  /** Those that are in it now; may change it meanwhile. */
  toArray(): M[] {
    return [...this.members];
  }
}
