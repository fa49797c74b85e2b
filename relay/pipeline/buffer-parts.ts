/** Parts of a buffer, in order. Adjacent parts are merged, so that a buffer that passes whole is not copied. */
export class BufferParts {
  private readonly bounds: number[] = [];

  add(from: number, to: number): void {
    const { bounds } = this;
    if (bounds.at(-1) === from) bounds[bounds.length - 1] = to;
    else if (to > from) bounds.push(from, to);
  }

  /** Cuts off everything after this offset. */
  cut(at: number): void {
    const { bounds } = this;
    while ((bounds.at(-2) ?? -1) >= at) bounds.length -= 2;
    if ((bounds.at(-1) ?? -1) > at) bounds[bounds.length - 1] = at;
  }

  /** Whether a part ends at this offset. */
  endsAt(at: number): boolean {
    return this.bounds.at(-1) === at;
  }

  of(bytes: Buffer): Buffer[] {
    const parts: Buffer[] = [];
    for (let i = 0; i + 1 < this.bounds.length; i += 2)
      parts.push(bytes.subarray(this.bounds[i], this.bounds[i + 1]));
    return parts;
  }
}

/** Joins without copying when there is only one piece. */
export const joinAll = (pieces: readonly Buffer[]): Buffer | undefined =>
  pieces.length <= 1 ? pieces[0] : Buffer.concat(pieces);

export const joinTwo = (first: Buffer | undefined, second: Buffer | undefined): Buffer | undefined =>
  first === undefined || second === undefined ? (first ?? second) : Buffer.concat([first, second]);
