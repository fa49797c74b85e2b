import { queryOptions, useQuery } from "@tanstack/react-query";
import { listTokens } from "@tollgate/contract/api/tokens";
import { TOKEN_ENABLED } from "@tollgate/contract/values/statuses";
import * as z from "zod/mini";
import { addressOf } from "./api-client";
import { bearerKey } from "./bearer-key";
import { callEndpoint } from "./call-endpoint";
import { useSession } from "./session";

const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Names of models that answer no conversation. */
const NO_CHAT =
  /embed|moderation|whisper|tts|dall-e|image|rerank|transcri|speech|audio|realtime|ocr|sora|veo|imagen|babbage|davinci|instruct$|bge-/i;

/**
 * The models that a key may use, by their names.
 * @param key "sk-…".
 * @throws Error where the key is refused or the server lists none.
 */
export const offeredModelsQuery = (key: string) =>
  queryOptions({
    queryKey: ["offered-models", key],
    queryFn: async ({ signal }): Promise<string[]> => {
      const response = await fetch(addressOf("/v1/models"), {
        headers: { authorization: `Bearer ${key}` },
        signal,
      });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      const { data } = modelsSchema.parse(await response.json());
      return [...new Set(data.map(({ id }) => id))];
    },
    meta: { silent: true },
    staleTime: 60_000,
    retry: false,
  });

/** Whether a model answers conversations, as far as its name tells. */
export const isChatModel = (model: string): boolean => !NO_CHAT.test(model);

/** A model that an example may name: one that talks, where there is one. */
export const exampleModel = (models: readonly string[]): string | undefined =>
  models.find(isChatModel) ?? models[0];

/** What ends a text in quotes, or is run there, in a shell or in code, and what hides how a text goes on. */
const UNQUOTABLE = /["'`$\\!\p{C}\p{Zl}\p{Zp}]/u;

/**
 * The name of a model in an example. People copy an example and run it with their key, and a name may come from an upstream's
 * list or from the address of a page: one that could be more than a name is left out.
 */
export const quotableModel = (model: string): string => (UNQUOTABLE.test(model) ? "MODEL" : model);

/** What an example is filled in with: a key of the person's own, and a model that answers it. */
interface OwnExample {
  key: string;
  model: string | undefined;
}

const ownExampleQuery = queryOptions({
  queryKey: ["own-example"],
  queryFn: async ({ client, signal }): Promise<OwnExample | null> => {
    const tokens = await callEndpoint(listTokens, { query: { p: 0 } }, signal);
    const token = tokens.find(({ status }) => status === TOKEN_ENABLED);
    if (!token) return null;
    const key = bearerKey(token.key);
    return { key, model: exampleModel(await client.fetchQuery(offeredModelsQuery(key))) };
  },
  meta: { silent: true },
  staleTime: 60_000,
  retry: false,
});

/** What an example for the person who is signed in is filled in with; undefined for a guest, and for a person without a key. */
export const useOwnExample = (): OwnExample | undefined => {
  const { user } = useSession();
  const { data } = useQuery({ ...ownExampleQuery, enabled: user !== undefined });
  return data ?? undefined;
};
