import type { AskedField, Feature, FeatureCarriers } from "@tollgate/contract/relay/features";
import { isRecord } from "../json/json-values";

/** A step of a path: a name, whether it covers all elements of a list, and the required prefix of the value. */
interface Step {
  name: string;
  isList: boolean;
  begins: string | undefined;
}

const parsed = new Map<string, readonly Step[]>();

const stepsOf = (path: string): readonly Step[] => {
  const known = parsed.get(path);
  if (known) return known;
  const steps = path.split(".").map((text): Step => {
    const [name = "", begins] = text.split("=");
    const isList = name.endsWith("[]");
    return { name: isList ? name.slice(0, -2) : name, isList, begins };
  });
  parsed.set(path, steps);
  return steps;
};

const stands = (holder: unknown, steps: readonly Step[], at: number): boolean => {
  const step = steps[at];
  if (step === undefined) return holder !== undefined && holder !== null;
  if (!isRecord(holder)) return false;
  const { begins } = step;
  const isThere = (value: unknown): boolean =>
    begins === undefined ? stands(value, steps, at + 1) : String(value).startsWith(begins);
  const value = holder[step.name];
  return step.isList ? Array.isArray(value) && value.some(isThere) : isThere(value);
};

/** Whether a body contains a feature, at any of its protocol's paths for it. */
const isCarriedIn = (body: unknown, places: string | undefined): boolean =>
  places?.split("|").some((place) => place.startsWith("(") || stands(body, stepsOf(place), 0)) ?? false;

/**
 * The fields of a request that were not sent to its upstream. Refinements of an omitted field are omitted with it.
 * @param body the upstream's request as sent.
 */
export const listLeftOut = (
  asked: readonly AskedField[],
  carries: FeatureCarriers,
  body: unknown,
): AskedField[] => {
  const known = new Map<Feature, boolean>();
  const isCarried = (feature: Feature): boolean => {
    const found = known.get(feature) ?? isCarriedIn(body, carries[feature]);
    known.set(feature, found);
    return found;
  };
  return asked.filter(
    ({ feature, within }) => !isCarried(feature) && (within === undefined || isCarried(within)),
  );
};
