import type { Refusal } from "./ports/client";

/** The memory limit has no room for a request's data. */
export class MemoryRefused extends Error {
  override readonly name = "MemoryRefused";

  constructor(readonly refusal: Refusal) {
    super(refusal.code);
  }
}
