import type { ImportTexts } from "./texts";

export type RefusalCode = keyof ImportTexts["refusals"];

/** An import that is refused, with its findings. */
export class ImportRefused extends Error {
  override readonly name = "ImportRefused";
  constructor(
    readonly code: RefusalCode,
    readonly values: Readonly<Record<string, string | number>>,
  ) {
    super(code);
  }
}
