/**
 * What a model reads as text, to be counted. The pieces are those of the parsed body: they are joined only when somebody
 * wants the whole, because a request holds its prompt for as long as its answer takes.
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
    /** What those may count as at worst, in tokens. */
    readonly fileTokens = 0,
  ) {}

  /** Contents, roles and names joined. */
  get text(): string {
    return this.pieces.join("\n");
  }
}
