import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { KeptAnswer } from "./route";

/** Maximum number of cached answers. One with 2,000 models takes a megabyte. */
const MAX_KEPT = 32;
/** Content may change with time alone: a price by its date, figures with each request. */
const KEPT_MS = 60_000;

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

/** Events that invalidate the cache. */
interface Changing {
  accounts: { changes: { subscribe(listener: (change: { readonly of: string }) => void): unknown } };
  options: { onChange(listener: () => void): unknown };
  /** Unix seconds. */
  now(): number;
}

interface Kept {
  readonly answer: Promise<KeptAnswer>;
  readonly madeAtMs: number;
}

/** Caches slow answers about all models, per view of readers, until channels or options change. */
export class KeptAnswers {
  private kept = new Map<string, Kept>();

  constructor(private readonly services: Changing) {
    services.accounts.changes.subscribe(({ of }) => {
      if (of === "channel") this.kept = new Map();
    });
    services.options.onChange(() => {
      this.kept = new Map();
    });
  }

  /** @param reader callers with the same see the same. */
  of(reader: string, make: () => Promise<KeptAnswer>): Promise<KeptAnswer> {
    const nowMs = this.services.now() * 1000;
    const known = this.kept.get(reader);
    if (known && nowMs - known.madeAtMs < KEPT_MS) return known.answer;
    const { kept } = this;
    const made = { answer: make(), madeAtMs: nowMs };
    kept.delete(reader);
    kept.set(reader, made);
    made.answer.catch(() => {
      if (kept.get(reader) === made) kept.delete(reader);
    });
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break;
      kept.delete(oldest);
    }
    return made.answer;
  }
}
