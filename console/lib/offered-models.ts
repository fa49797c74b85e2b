import { queryOptions, useQuery } from "@tanstack/react-query";
import { listApiKeys } from "@tollgate/contract/api/api-keys";
import { TOKEN_ENABLED } from "@tollgate/contract/values/statuses";
import * as z from "zod/mini";
import { addressOf } from "./api-client";
import { bearerKey } from "./bearer-key";
import { callEndpoint } from "./call-endpoint";
import { useSession } from "./session";

const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Names of models without chat. */
const NO_CHAT =
  /embed|moderation|whisper|tts|dall-e|image|rerank|transcri|speech|audio|realtime|ocr|sora|veo|imagen|babbage|davinci|instruct$|bge-/i;

/**
 * Names of the models that a key may use.
 * @param key "sk-…".
 * @throws Error if the key is rejected or the server lists no models.
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

/** Whether a model supports chat, judging by its name. */
export const isChatModel = (model: string): boolean => !NO_CHAT.test(model);

/** A model for an example: a chat model if there is one. */
export const exampleModel = (models: readonly string[]): string | undefined =>
  models.find(isChatModel) ?? models[0];

/** Characters that end or are expanded inside a quoted text, in a shell or in code, or that hide the rest of a text. */
const UNQUOTABLE = /["'`$\\!\p{C}\p{Zl}\p{Zp}]/u;

/**
 * The name of a model in an example. Users copy an example and run it with their key, and a name may come from an
 * upstream's list or from a page's address: a name that could be more than a name is replaced.
 */
export const quotableModel = (model: string): string => (UNQUOTABLE.test(model) ? "MODEL" : model);

/** Values for an example: a key of the user, and a model that it may use. */
interface OwnExample {
  key: string;
  model: string | undefined;
}

const ownExampleQuery = queryOptions({
  queryKey: ["own-example"],
  queryFn: async ({ client, signal }): Promise<OwnExample | null> => {
    const tokens = await callEndpoint(listApiKeys, { query: { p: 0 } }, signal);
    const token = tokens.find(({ status }) => status === TOKEN_ENABLED);
    if (!token) return null;
    const key = bearerKey(token.key);
    return { key, model: exampleModel(await client.fetchQuery(offeredModelsQuery(key))) };
  },
  meta: { silent: true },
  staleTime: 60_000,
  retry: false,
});

/** Example values for the signed-in user; undefined for a guest and until they are known, null without a key. */
export const useOwnExample = (): OwnExample | null | undefined => {
  const { user } = useSession();
  const { data } = useQuery({ ...ownExampleQuery, enabled: user !== undefined });
  return data;
};
