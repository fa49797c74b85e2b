import { useQueryClient } from "@tanstack/react-query";
import { type ApiKey, createApiKey, encodeApiKeyBody, listApiKeys } from "@tollgate/contract/api/api-keys";
import { fetchModels, testChannel } from "@tollgate/contract/api/channel-upstream";
import { changeChannel, createChannels, listChannels } from "@tollgate/contract/api/channels";
import { listMissingPrices } from "@tollgate/contract/api/prices";
import { getPricing } from "@tollgate/contract/api/pricing";
import { TOKEN_ENABLED } from "@tollgate/contract/values/statuses";
import { NEVER } from "@tollgate/contract/values/time";
import { VENDOR_FORMS } from "@tollgate/vendors/slim/forms";
import { useState } from "react";
import { callEndpoint } from "../../../lib/call-endpoint";
import { isChatModel } from "../../../lib/offered-models";
import { useEndpoint } from "../../../lib/use-endpoint";
import { type ChannelFields, NEW_CHANNEL, toCreateBody, toFetchBody, toUpdateBody } from "../channel-form";
import { addressFor } from "./guess-vendor";

/** The user's input about the upstream. */
export interface StartFields {
  type: number;
  key: string;
  address: string;
  /** Name of the channel. */
  name: string;
  /** Name for a new key. */
  keyName: string;
}

/** The steps in order. */
export const START_STEPS = ["models", "channel", "prices", "test", "key"] as const;
export type StartStep = (typeof START_STEPS)[number];

/** The state so far. */
export interface StartRun {
  /** The running step; undefined before the first and after the last. */
  step?: StartStep | undefined;
  /** The failed step, and its error. */
  failure?: { step: StartStep; error: Error } | undefined;
  models?: readonly string[];
  channelId?: number;
  /** Models without a price: requests for them are rejected. */
  unpriced?: readonly string[];
  passed?: { model: string; seconds: number };
  token?: ApiKey;
}

/** The upstream answered, but lists no model except those that the site ignores. */
export class NoModelsError extends Error {}

/** The preset models of a channel type; empty if it has none. */
export const usualModels = (type: number): readonly string[] => VENDOR_FORMS[type]?.models ?? [];

/** A JSON document is one key, whatever its number of lines. */
const isDocument = (key: string): boolean => key.startsWith("{");

/** Models to try before the channel counts as failing. */
const MAX_TRIED = 3;

/** Models worth testing: with a price, for chat, the cheapest first. */
export const modelsToTry = (
  models: readonly string[],
  unpriced: readonly string[],
  outputPrice: (model: string) => number | undefined,
): string[] => {
  const known = new Set(unpriced);
  const priceOf = (model: string): number => outputPrice(model) ?? Number.POSITIVE_INFINITY;
  return models
    .filter((model) => !known.has(model) && isChatModel(model))
    .toSorted((a, b) => priceOf(a) - priceOf(b) || 0)
    .slice(0, MAX_TRIED);
};

const channelOf = ({ type, name, key, address }: StartFields): ChannelFields => ({
  ...NEW_CHANNEL,
  type,
  name,
  key,
  baseUrl: addressFor(type, address),
});

/** An existing key without limits. */
const findKey = async (): Promise<ApiKey | undefined> =>
  (await callEndpoint(listApiKeys, { query: { p: 0 } })).find(
    ({ status, unlimitedQuota, expiredTime }) =>
      status === TOKEN_ENABLED && unlimitedQuota && expiredTime === NEVER,
  );

/** The channel's models without a price. */
const findUnpriced = async (channelId: number, models: readonly string[]): Promise<string[]> => {
  const missing = await callEndpoint(listMissingPrices, { query: { channel: channelId } });
  const own = new Set(models);
  return missing.models.map(({ model }) => model).filter((model) => own.has(model));
};

/** Models for the test, in the order of tries. */
const findTried = async (models: readonly string[], unpriced: readonly string[]): Promise<string[]> => {
  // A site may publish no prices: then the upstream's order applies.
  const pricing = await callEndpoint(getPricing, {}).catch(() => undefined);
  const prices = new Map(
    pricing?.data.map(({ model_name, price }) => [model_name, "perCall" in price ? undefined : price.output]),
  );
  const tried = modelsToTry(models, unpriced, (model) => prices.get(model));
  return tried.length > 0 ? tried : models.slice(0, 1);
};

/** The steps that change data or query the upstream. */
const useSteps = () => {
  const create = useEndpoint(createChannels, { isSilent: true });
  const change = useEndpoint(changeChannel, { isSilent: true });
  const ask = useEndpoint(fetchModels, { isSilent: true });
  const test = useEndpoint(testChannel, { isSilent: true });
  const make = useEndpoint(createApiKey, { isSilent: true });
  return {
    askForModels: async (fields: StartFields): Promise<string[]> => {
      const [first = ""] = isDocument(fields.key) ? [fields.key] : fields.key.split("\n");
      const asked = channelOf({ ...fields, name: "", key: first });
      const { models, ignored } = await ask.mutateAsync({ body: toFetchBody(undefined, asked, NEW_CHANNEL) });
      return models.filter((model) => !ignored.includes(model));
    },
    /** Saves the channel with these models; an earlier try on this page is updated, so that none is left over. */
    saveChannel: async (fields: StartFields, models: readonly string[], id?: number): Promise<number> => {
      const isMultiKey = !isDocument(fields.key) && fields.key.includes("\n");
      const channel = { ...channelOf(fields), models: [...models], isMultiKey };
      if (id !== undefined) {
        await change.mutateAsync({ body: toUpdateBody(id, channel, channel) });
        return id;
      }
      await create.mutateAsync({ body: toCreateBody(channel) });
      // The contract's answer does not contain the id: it is the newest channel with this name.
      const newest = await callEndpoint(listChannels, { query: { p: 0 } });
      const ids = newest.filter(({ name }) => name === fields.name).map((each) => each.id);
      if (ids.length === 0) throw new Error("the channel is not listed");
      return Math.max(...ids);
    },
    tryModels: async (id: number, models: readonly string[], unpriced: readonly string[]) => {
      let failure = new Error("");
      for (const model of await findTried(models, unpriced)) {
        try {
          const { time } = await test.mutateAsync({ params: { id }, query: { model } });
          return { model, seconds: time };
        } catch (error) {
          failure = error as Error;
        }
      }
      throw failure;
    },
    /** Returns a key without limits, and creates one if needed. */
    takeKey: async (name: string): Promise<ApiKey> => {
      const own = await findKey();
      if (own) return own;
      await make.mutateAsync({
        body: encodeApiKeyBody({ name, expiredTime: NEVER, remainQuota: 0, unlimitedQuota: true }),
      });
      const made = await findKey();
      if (!made) throw new Error("the key is not listed");
      return made;
    },
  };
};

/** Connects an upstream step by step: its models, a channel, prices, a test, a key. */
export const useStartRun = () => {
  const client = useQueryClient();
  const [run, setRun] = useState<StartRun>({});
  const { askForModels, saveChannel, tryModels, takeKey } = useSteps();

  /**
   * Runs all steps from the first.
   * @param usual uses the vendor's usual models without querying the upstream for its own.
   */
  const start = async (fields: StartFields, usual = false): Promise<void> => {
    let state: StartRun = run.channelId === undefined ? {} : { channelId: run.channelId };
    const note = (more: StartRun) => {
      state = { ...state, ...more };
      setRun(state);
    };
    let step: StartStep = "models";
    const begin = (next: StartStep) => {
      step = next;
      note({ step });
    };
    try {
      begin("models");
      const models = usual ? usualModels(fields.type) : await askForModels(fields);
      if (models.length === 0) throw new NoModelsError();
      note({ models });
      begin("channel");
      const channelId = await saveChannel(fields, models, state.channelId);
      note({ channelId });
      begin("prices");
      const unpriced = await findUnpriced(channelId, models);
      note({ unpriced });
      begin("test");
      note({ passed: await tryModels(channelId, models, unpriced) });
      begin("key");
      note({ token: await takeKey(fields.keyName), step: undefined });
      void client.invalidateQueries({ queryKey: [getPricing.reads] });
    } catch (error) {
      note({ step: undefined, failure: { step, error: error as Error } });
    }
  };

  return { run, start, restart: () => setRun({}) };
};
