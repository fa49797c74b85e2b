import type { ComponentType } from "react";

/** One component of the console, as it is shown. */
export interface Specimen {
  /** The file in `components/` that has it. */
  name: string;
  /** Its looks: the usual ones, and those of trouble. */
  Shown: ComponentType;
}
