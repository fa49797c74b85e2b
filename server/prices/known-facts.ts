import type { ModelFacts } from "@tollgate/contract/relay/client-api";
import type { ModelAbilities } from "@tollgate/contract/values/model-abilities";
import { type CatalogueEntry, findModel } from "@tollgate/vendors/catalogue/catalogue";
import { endpointsOf, traitsOf } from "./model-traits";

/** What the catalogue knows about a model, the same for every reader. */
export type KnownFacts = Omit<ModelFacts, "price"> & {
  /** Its maker; undefined for a model that no list names. */
  readonly owner: CatalogueEntry["sheet"]["owner"] | undefined;
};

const NOTHING: KnownFacts = { owner: undefined, traits: [], endpointTypes: [] };

/** The abilities that follow from how a model is used, before what its vendor's list declares. */
const abilitiesOf = (
  { facts: { abilities } }: CatalogueEntry,
  traits: KnownFacts["traits"],
): ModelAbilities | undefined => {
  // Every chat is streamed to clients that ask for it, in each protocol.
  if (traits.includes("chat")) return { ...abilities, features: { ...abilities?.features, streaming: true } };
  if (abilities) return abilities;
  if (traits.includes("image")) return { outputs: ["image"] };
  if (traits.includes("speech")) return { inputs: ["text"], outputs: ["audio"] };
  return traits.includes("transcription") ? { inputs: ["audio"], outputs: ["text"] } : undefined;
};

const read = (name: string): KnownFacts => {
  const entry = findModel(name);
  if (!entry) return NOTHING;
  const { facts, sheet } = entry;
  const traits = traitsOf(facts);
  return {
    owner: sheet.owner,
    context: facts.context,
    outputLimit: facts.outputLimit,
    abilities: abilitiesOf(entry, traits),
    traits,
    endpointTypes: endpointsOf(traits),
  };
};

/** Names come from channels, so their number is bounded by these; a site with more reads them again. */
const MAX_REMEMBERED = 5000;
const remembered = new Map<string, KnownFacts>();

/**
 * The facts about a model that the price page and /v1/models both show.
 * @param name its name at the upstream.
 */
export const knownFactsOf = (name: string): KnownFacts => {
  let known = remembered.get(name);
  if (!known) {
    known = read(name);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(name, known);
  }
  return known;
};
