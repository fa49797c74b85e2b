/**
 * Text that a model reads, to be counted. The pieces are those of the parsed body: they are joined only when a caller
 * needs the whole, because a request holds its prompt for as long as its answer takes.
 */
export class PromptText {
  constructor(
    readonly pieces: readonly string[],
    /** How many messages there are: each costs a few tokens of its own. */
    readonly messages: number,
    /** How many images and files there are. */
    readonly images: number,
    /** How many tokens were given as their numbers instead of as text. */
    readonly tokens = 0,
    /** How many of the images are files, recordings and videos. */
    readonly files = 0,
    /** Their maximum count, in tokens. */
    readonly fileTokens = 0,
    /** Their count by a rule, in tokens: charged where the upstream reports none. */
    readonly likelyFileTokens = 0,
  ) {}

  /** Contents, roles and names joined. */
  get text(): string {
    return this.pieces.join("\n");
  }

  /** Returns the first characters, without joining the rest. */
  beginning(length: number): string {
    const taken: string[] = [];
    let left = length;
    for (const piece of this.pieces) {
      if (left <= 0) break;
      taken.push(piece.slice(0, left));
      left -= piece.length + 1;
    }
    return taken.join("\n");
  }

  /** The length of `text`. */
  get length(): number {
    let length = Math.max(0, this.pieces.length - 1);
    for (const piece of this.pieces) length += piece.length;
    return length;
  }
}
