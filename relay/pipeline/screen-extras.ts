import type { BodyPath, Extras } from "@tollgate/contract/relay/extras";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { tierRatioOf, toolPriceOf } from "@tollgate/metering/extra-charges";
import type { Price } from "@tollgate/metering/price";
import { isRecord } from "@tollgate/protocols/shared/json/json-values";

/** The extras of a request that reach the upstream. */
export interface Screened {
  passing: Extras | undefined;
  /** Paths that must be removed from the body. */
  leftOut: readonly BodyPath[];
}

const nameOf = (path: BodyPath): string =>
  path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .slice(1);

/** Agents offer it in every request, whether or not it is wanted. */
const OFFERED = "image_generation";

/**
 * Screens everything that is billed apart from tokens. Extras with a price pass and are charged. Without a price,
 * extras that change only price and speed are removed, and so are switches in their own fields. Extras that would
 * change the answer (a tool, the region of the computation) are refused.
 * @throws RequestInvalid
 */
export const screenExtras = (extras: Extras, price: Price): Screened => {
  const leftOut: BodyPath[] = [];
  const tiers = extras.tiers.filter((tier) => {
    if (tierRatioOf(price.extras, tier) !== undefined) return true;
    if (tier.field === "inference_geo") {
      throw new RequestInvalid({
        code: "tier-without-price",
        field: nameOf(tier.path),
        value: tier.name ?? "",
      });
    }
    leftOut.push(tier.path);
    return false;
  });
  const tools = extras.tools.filter((tool) => {
    if (toolPriceOf(price.extras, tool) !== undefined) return true;
    if (tool.path.includes("tools") && tool.name !== OFFERED) {
      throw new RequestInvalid({ code: "tool-without-price", tool: tool.name }, nameOf(tool.path));
    }
    leftOut.push(tool.path);
    return false;
  });
  const isNothing = tiers.length === 0 && tools.length === 0;
  return { passing: isNothing ? undefined : { tiers, tools }, leftOut };
};

/** Refuses extras that would have to be removed from a body that passes unchanged. @throws RequestInvalid */
export const refuseExtras = ([first = []]: readonly BodyPath[]): never => {
  throw new RequestInvalid({ code: "tier-without-price", field: nameOf(first), value: "" });
};

/** Returns a body without the values at these paths; copies only their containers. */
export const withoutPaths = <T>(body: T, paths: readonly BodyPath[]): T =>
  // In reverse order, so that the indexes of a list's other elements stay valid.
  [...paths].reverse().reduce<T>((rest, path) => withoutPath(rest, path), body);

const withoutPath = <T>(value: T, [step, ...further]: BodyPath): T => {
  if (Array.isArray(value) && typeof step === "number") {
    const list: unknown[] = [...value];
    if (further.length === 0) list.splice(step, 1);
    else list[step] = withoutPath(list[step], further);
    return list as T;
  }
  if (!isRecord(value) || typeof step !== "string") return value;
  const { [step]: inner, ...others } = value as Record<string, unknown>;
  return (further.length === 0 ? others : { ...value, [step]: withoutPath(inner, further) }) as T;
};
