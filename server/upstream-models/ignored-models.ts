import { splitList } from "@tollgate/contract/values/split-list";
import { fitsWildcard } from "@tollgate/contract/values/wildcard";

/** An upstream may have thousands of models, each of which is compared with every pattern. */
const MAX_PATTERNS = 500;

/** Models of an upstream that are not reported. @param patterns the option IgnoredModels. */
export const ignoredModels = (models: readonly string[], patterns: string): string[] => {
  const wanted = splitList(patterns).slice(0, MAX_PATTERNS);
  return wanted.length === 0
    ? []
    : models.filter((model) => wanted.some((pattern) => fitsWildcard(pattern, model)));
};
