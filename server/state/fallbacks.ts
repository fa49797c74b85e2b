import {
  ANY_MODEL,
  type FallbackList,
  parseModelFallbacks,
} from "@tollgate/contract/management/model-fallbacks";
import type { Fallbacks } from "@tollgate/relay/ports/relay-ports";
import type { Options } from "./options";

/** The lists of the option ModelFallbacks, parsed when it changes; a model's own list takes precedence. */
export const createFallbacks = (options: Pick<Options, "text" | "onChange">): Fallbacks => {
  let lists: ReadonlyMap<string, FallbackList> = new Map();
  const read = (): void => {
    const parsed = parseModelFallbacks(options.text("ModelFallbacks"));
    // It was checked before it was stored; an invalid stored value replaces nothing.
    lists = "fault" in parsed ? new Map() : parsed;
  };
  read();
  options.onChange((key) => {
    if (key === "ModelFallbacks") read();
  });
  return { of: (model) => lists.get(model) ?? lists.get(ANY_MODEL) };
};
