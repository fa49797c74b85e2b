import { PromptText } from "@tollgate/contract/relay/prompt-text";
import { isRecord } from "../json/json-values";
import { argumentsText } from "../json/stringify-in-steps";
import { type FileTokens, fileTokensOfUrl, inlineFileTokens, NAMED_FILE_TOKENS } from "./file-tokens";

/** Fields with metadata about content. */
const NAMES =
  /^(?:(?:.*_)?id|type|role|object|index|status|format|mime_?type|media_type|language|detail|caller|phase)$/i;
/** Seals on reasoning, which vendors drop, or count by their own rules. */
const SEALS = /^(?:thought_?)?signature$/i;
/** A number, as some write their settings. */
const SETTING = /^\d{1,10}$/;
/** Strings shorter than this are words, whatever they look like. */
const LEAST_OPAQUE = 512;
const OPAQUE = /^[\w+/=-]+$/;
const ADDRESS = /^(?:https?|gs|s3|file):\/\//i;
/** Bytes of an unknown type that are not text. */
const UNKNOWN_TYPE = "application/octet-stream";

/** Collects a request's prompt: texts, and other content that costs tokens. */
export class PromptTally {
  private readonly pieces: string[] = [];
  private images = 0;
  private files = 0;
  private fileTokens = 0;
  private likelyFileTokens = 0;
  private tokens = 0;

  /** Adds a text; ignores other values. */
  add(value: unknown): void {
    if (typeof value === "string" && value !== "") this.pieces.push(value);
  }

  /** Adds a value that the model reads as JSON. */
  addJson(value: unknown): void {
    this.pieces.push(isRecord(value) ? argumentsText(value) : JSON.stringify(value));
  }

  /** Adds tokens that are given as their numbers. */
  addTokens(count: number): void {
    this.tokens += count;
  }

  addImage(): void {
    this.images += 1;
  }

  addFile({ most, likely }: FileTokens): void {
    this.images += 1;
    this.files += 1;
    this.fileTokens += most;
    this.likelyFileTokens += likely;
  }

  /** @param tokens the result of `fileTokensOfUrl`: undefined for an image. */
  addMedia(tokens: FileTokens | undefined): void {
    if (tokens === undefined) this.addImage();
    else this.addFile(tokens);
  }

  /**
   * Adds the fields of a record that its protocol does not know: they reach the upstream, so they may be read.
   * @param known names that were looked at, or that are no content.
   */
  addOthers(record: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): void {
    for (const name in record) if (!known.has(name)) this.addUnknown(record[name], name);
  }

  /** Adds the value of any field, by its apparent type. @param name of the field. */
  addUnknown(value: unknown, name = ""): void {
    if (name === "cache_control") return;
    if (typeof value === "string") this.addString(value, name);
    else if (Array.isArray(value)) for (const item of value) this.addUnknown(item, name);
    else if (isRecord(value)) for (const field in value) this.addUnknown(value[field], field);
  }

  private addString(value: string, name: string): void {
    if (value === "" || NAMES.test(name) || SEALS.test(name) || SETTING.test(value)) return;
    if (value.startsWith("data:")) this.addMedia(fileTokensOfUrl(value, false));
    else if (ADDRESS.test(value) && /(?:ur[il]|image|file|video|audio)$/i.test(name))
      this.addMedia(/image/i.test(name) ? undefined : NAMED_FILE_TOKENS);
    else if (value.length >= LEAST_OPAQUE && OPAQUE.test(value.slice(0, LEAST_OPAQUE)))
      this.addFile(inlineFileTokens(value, UNKNOWN_TYPE));
    else this.pieces.push(value);
  }

  /** @param messages their number. */
  prompt(messages: number): PromptText {
    const { pieces, images, tokens, files, fileTokens, likelyFileTokens } = this;
    return new PromptText(pieces, messages, images, tokens, files, fileTokens, likelyFileTokens);
  }
}
