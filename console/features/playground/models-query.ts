import { queryOptions } from "@tanstack/react-query";
import * as z from "zod/mini";
import { UnreadableError } from "../../lib/api-client";
import { isChatModel } from "../../lib/offered-models";
import { callPlayground } from "./playground-call";
import type { PlaygroundTab } from "./playground-search";

const modelsSchema = z.object({
  data: z.array(z.object({ id: z.string(), traits: z.catch(z.optional(z.array(z.string())), undefined) })),
});

/** A model that the user may use. */
export interface UsableModel {
  id: string;
  /** What it can do; undefined where no price list names it. */
  traits: readonly string[] | undefined;
}

/** The models of a group; "" for those of the user's own groups. */
export const modelsQuery = (group: string) =>
  queryOptions({
    queryKey: ["playground", "models", group],
    queryFn: async ({ signal }): Promise<UsableModel[]> => {
      const response = await callPlayground({ path: "/v1/models", group, signal });
      const listed = modelsSchema.safeParse(await response.json().catch(() => undefined));
      if (!listed.success) throw new UnreadableError("no list of models");
      return listed.data.data.map(({ id, traits }) => ({ id, traits }));
    },
    meta: { silent: true },
    retry: false,
    staleTime: 60_000,
  });

/** The trait that a tab needs, and a sign of it in the name of a model without known traits. */
const FITTING: Readonly<Record<PlaygroundTab, { trait: string; isNamed: (model: string) => boolean }>> = {
  chat: { trait: "chat", isNamed: isChatModel },
  image: { trait: "image", isNamed: (model) => /image|dall-e|flux|imagen|seedream|wanx|kolors/i.test(model) },
  speech: { trait: "speech", isNamed: (model) => /tts|speech|voice/i.test(model) },
  embedding: { trait: "vectors", isNamed: (model) => /embed|bge-|vector/i.test(model) },
};

/** Names of the models for a tab: those that fit first, then all others, which may fit without saying so. */
export const modelsFor = (tab: PlaygroundTab, models: readonly UsableModel[]): string[] => {
  const { trait, isNamed } = FITTING[tab];
  const fits = ({ id, traits }: UsableModel): boolean => traits?.includes(trait) ?? isNamed(id);
  return [...models.filter(fits), ...models.filter((each) => !fits(each))].map(({ id }) => id);
};
