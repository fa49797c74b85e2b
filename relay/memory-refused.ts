import type { Refusal } from "./ports";

/** There is no room for what a request would keep in memory. */
export class MemoryRefused extends Error {
  override readonly name = "MemoryRefused";

  constructor(readonly refusal: Refusal) {
    super(refusal.code);
  }
}
