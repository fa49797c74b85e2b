import type { BodyPath, Extras } from "@tollgate/contract/relay/extras";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { tierRatioOf, toolPriceOf } from "@tollgate/metering/extra-charges";
import type { Price } from "@tollgate/metering/price";
import { isRecord } from "@tollgate/protocols/shared/json/json-values";

/** What of a request's extras reaches the upstream. */
export interface Screened {
  passing: Extras | undefined;
  /** What must be left out of the body. */
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
 * Decides about everything that is billed apart from tokens: what has a price passes, and is charged; wishes that change
 * nothing but price and speed are left out where they have none, and so are switches in fields of their own. What the
 * answer would be another without (a tool, the place where it is computed) is refused.
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

/** Refuses what would have to be left out of a body that passes as it is. @throws RequestInvalid */
export const refuseExtras = ([first = []]: readonly BodyPath[]): never => {
  throw new RequestInvalid({ code: "tier-without-price", field: nameOf(first), value: "" });
};

/** A body without what stands at these places; nothing else of it is copied than what holds them. */
export const withoutPaths = <T>(body: T, paths: readonly BodyPath[]): T =>
  // From the end, so that the places of a list's other elements stay what they are.
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
