import type { Endpoint } from "@tollgate/contract/relay/client-api";

/** Refusal of features that the vendor's API has but the gateway does not. */
export const NOT_IMPLEMENTED = { kind: "refusal", code: "not-implemented" } as const;

/** Refused endpoints of these names and of all paths below them. @param base without a slash at its end. */
export const notOffered = (base: string, names: readonly string[]): Endpoint[] =>
  names.flatMap((name) =>
    ["", "/*"].map(
      (end): Endpoint => ({ method: "any", path: `${base}/${name}${end}`, asked: NOT_IMPLEMENTED }),
    ),
  );
