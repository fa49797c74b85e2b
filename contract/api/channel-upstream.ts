import * as z from "zod/mini";
import { idNumber, looseNumber, maybe } from "../management/wire";
import { endpoint } from "../resource/endpoint";
import { codecOf } from "../resource/fields";
import { plain, readerOf } from "../resource/resource";
import { channelBodyFields } from "./channels";

/* Calls about the upstreams of channels: tests, balances and models. */

/** The channel as it is in a form, saved or not. With an id, missing fields, the key included, are as stored. */
export const fetchModelsBodySchema = codecOf(channelBodyFields, {
  id: maybe(idNumber),
  type: maybe(z.int()),
  key: maybe(z.string()),
  baseUrl: maybe(z.string()),
  other: maybe(z.string()),
  proxy: maybe(z.string()),
  overrides: maybe(z.string()),
});
export type FetchModelsBody = z.output<typeof fetchModelsBodySchema>;

/** The upstream's models, by name, and those of them that the site ignores (option IgnoredModels). */
const fetchedModelsSchema = z.object({
  models: z.array(z.string()),
  ignored: z._default(z.array(z.string()), []),
});
export type FetchedModels = z.output<typeof fetchedModelsSchema>;

const MAX_BALANCE = 1_000_000_000;

/** The balance of an upstream that tells none, USD; null leaves it to the upstream again. */
export const typedBalanceBodySchema = z.object({
  id: idNumber,
  balance: z.nullable(z.number().check(z.gte(-MAX_BALANCE), z.lte(MAX_BALANCE))),
});

export const testChannels = endpoint({
  method: "GET",
  path: "/api/channel/test",
  guard: "admin",
  summary: "Starts a test of all enabled channels",
  changesState: true,
});

/** Answers the seconds that the test took. */
export const testChannel = endpoint({
  method: "GET",
  path: "/api/channel/test/:id/",
  guard: "admin",
  summary:
    "Tests a channel, with the model of `model` or the channel's test model; returns the time in seconds beside the data",
  query: { model: "The model to test; default: the channel's test model." },
  changesState: true,
  data: plain(z.object({ time: z.number() }), readerOf(z.object({ time: looseNumber }))),
  isEnvelope: true,
});

export const readBalances = endpoint({
  method: "GET",
  path: "/api/channel/update_balance",
  guard: "admin",
  summary: "Reads the balances of all enabled channels",
  changesState: true,
});

export const readBalance = endpoint({
  method: "GET",
  path: "/api/channel/update_balance/:id/",
  guard: "admin",
  summary: "Reads a channel's balance, and returns it beside the data",
  changesState: true,
  data: plain(z.object({ balance: z.number() }), readerOf(z.object({ balance: looseNumber }))),
  isEnvelope: true,
});

export const typeBalance = endpoint({
  method: "PUT",
  path: "/api/channel/balance",
  guard: "admin",
  summary:
    "Sets a channel's balance by hand, in USD; the gateway subtracts the cost of its answers; null ends that",
  body: typedBalanceBodySchema,
  changes: ["channels"],
});

export const fetchModels = endpoint({
  method: "POST",
  path: "/api/channel/fetch_models",
  guard: "admin",
  summary:
    "Queries an upstream for its models, with the values of a saved channel or of a form; changes nothing",
  body: fetchModelsBodySchema,
  data: plain(fetchedModelsSchema),
});

/** The contract's answer has no `success`; ours has it as well. */
export const listKnownModels = endpoint({
  method: "GET",
  path: "/api/channel/models",
  guard: "admin",
  summary: "Every model that the gateway knows by name; the answer has no `success`",
  data: plain(z.object({ object: z.literal("list"), data: z.array(z.looseObject({ id: z.string() })) })),
  isEnvelope: true,
  isRepeated: true,
});
