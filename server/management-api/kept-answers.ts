import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { KeptAnswer } from "./route";

const VERSION_LENGTH = 22;

const zip = promisify(gzip);

/** A hash that identifies a content. */
export const versionOf = (content: unknown): string =>
  createHash("sha256").update(JSON.stringify(content)).digest("base64url").slice(0, VERSION_LENGTH);

/** Writes a cached envelope. @param version identifies its content. */
export const writeKeptAnswer = async (
  fields: Readonly<Record<string, unknown>>,
  version: string,
): Promise<KeptAnswer> => {
  const json = JSON.stringify({ success: true, message: "", ...fields });
  return new KeptAnswer(json, await zip(json), `"${version}"`);
};
