import type { ComponentType } from "react";

/** One component of the console for display. */
export interface Specimen {
  /** Its file in `components/`. */
  name: string;
  /** Its variants: the usual ones, and failures. */
  Shown: ComponentType;
}
