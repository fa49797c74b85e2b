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

/** Units of balances (specification section 9). */
export const BALANCE_UNITS = ["usd", "cny", "cny-per-10000", "quota"] as const;

const accountLimitSchema = z.object({
  /** By the upstream's name for it. */
  name: z.string(),
  /** What it limits at the upstream: the key, its user or a group. */
  scope: z.optional(z.string()),
  max: z.number(),
  /** Unknown where the upstream does not show it. */
  used: z.optional(z.number()),
  /** Whether both are amounts in the account's unit. */
  is_money: z.boolean(),
  /** Unix seconds at which it is counted from 0 again. */
  resets_at: z.optional(z.int()),
});

/** What an upstream tells of the account behind a channel's key; what it does not tell is missing. */
export const upstreamAccountSchema = z.object({
  unit: z.enum(BALANCE_UNITS),
  balance: z.optional(z.number()),
  plan: z.optional(z.string()),
  group: z.optional(z.string()),
  /** Unix seconds. */
  expires_at: z.optional(z.int()),
  limits: z.array(accountLimitSchema),
});
export type UpstreamAccount = z.output<typeof upstreamAccountSchema>;
export type AccountLimit = UpstreamAccount["limits"][number];

export const testChannels = endpoint({
  method: "GET",
  path: "/api/channel/test",
  guard: "admin",
  area: "channels",
  summary: "Starts a test of all enabled channels",
  changesState: true,
});

/** Answers the seconds that the test took. */
export const testChannel = endpoint({
  method: "GET",
  path: "/api/channel/test/:id/",
  guard: "admin",
  area: "channels",
  summary:
    "Tests a channel, with the model of `model` or the channel's test model; returns the time in seconds beside the data",
  query: { model: "The model to test; default: the channel's test model." },
  changesState: true,
  data: plain(z.object({ time: z.number() }), readerOf(z.object({ time: looseNumber }))),
  isEnvelope: true,
});

/** Endpoints that a channel can be tested at: chats in the shape of each client, and operations. */
export const TEST_CHATS = ["chat", "responses", "messages"] as const;
export const TEST_OPERATIONS = {
  embeddings: "embeddings",
  images: "images/generations",
  speech: "audio/speech",
  rerank: "rerank",
  moderations: "moderations",
} as const;
export type TestChat = (typeof TEST_CHATS)[number];
export type TestOperation = keyof typeof TEST_OPERATIONS;
export type TestEndpoint = TestChat | TestOperation;
export const isTestChat = (name: string): name is TestChat => TEST_CHATS.some((each) => each === name);
const TEST_ENDPOINTS = [...TEST_CHATS, ...(Object.keys(TEST_OPERATIONS) as TestOperation[])] as const;

/** The longest prompt of a test. */
export const MAX_TEST_PROMPT = 2000;

/** A test as a person wants it; what is missing is as in the test of the button. */
export const detailedTestBodySchema = z.object({
  model: maybe(z.string().check(z.maxLength(200))),
  endpoint: maybe(z.enum(TEST_ENDPOINTS)),
  /** Of a chat only. */
  stream: maybe(z.boolean()),
  prompt: maybe(z.string().check(z.maxLength(MAX_TEST_PROMPT))),
});
export type DetailedTestBody = Partial<z.output<typeof detailedTestBodySchema>>;

/** Outcome of a test at one endpoint; what is not known is missing. */
export const detailedTestSchema = z.object({
  ok: z.boolean(),
  /** Why it failed. */
  reason: z.optional(z.string()),
  model: z.string(),
  /** The beginning of the answer; the words of a chat, else what the upstream sent. */
  text: z.string(),
  /** Size of the answer, as a client gets it. */
  bytes: z.int(),
  /** Milliseconds from the start of the test. */
  first_byte_ms: z.optional(z.int()),
  duration_ms: z.int(),
  prompt_tokens: z.optional(z.int()),
  completion_tokens: z.optional(z.int()),
  /** By the channel's buying prices, in thousandths of quota. */
  cost: z.optional(z.int()),
});
export type DetailedTest = z.output<typeof detailedTestSchema>;

export const listTestEndpoints = endpoint({
  method: "GET",
  path: "/api/channel/endpoints/:id",
  guard: "admin",
  area: "channels",
  summary: "The endpoints at which a channel can be tested",
  data: plain(z.array(z.enum(TEST_ENDPOINTS))),
});

export const testChannelInDetail = endpoint({
  method: "POST",
  path: "/api/channel/test/:id",
  guard: "admin",
  area: "channels",
  summary:
    "Tests a channel at an endpoint with a prompt, and returns the beginning of its answer, times, tokens and cost",
  body: detailedTestBodySchema,
  data: plain(detailedTestSchema),
});

export const readBalances = endpoint({
  method: "GET",
  path: "/api/channel/update_balance",
  guard: "admin",
  area: "channels",
  summary: "Reads the balances of all enabled channels",
  changesState: true,
});

export const readBalance = endpoint({
  method: "GET",
  path: "/api/channel/update_balance/:id/",
  guard: "admin",
  area: "channels",
  summary: "Reads a channel's balance, and returns it beside the data",
  changesState: true,
  data: plain(z.object({ balance: z.number() }), readerOf(z.object({ balance: looseNumber }))),
  isEnvelope: true,
});

export const readUpstreamAccount = endpoint({
  method: "GET",
  path: "/api/channel/account/:id",
  guard: "admin",
  area: "channels",
  summary:
    "Queries the upstream for the account behind a channel's key: balance, plan, group and limits with their use; the balance is stored",
  changesState: true,
  changes: ["channels"],
  data: plain(upstreamAccountSchema),
});

export const typeBalance = endpoint({
  method: "PUT",
  path: "/api/channel/balance",
  guard: "admin",
  area: "channels",
  summary:
    "Sets a channel's balance by hand, in USD; the gateway subtracts the cost of its answers; null ends that",
  body: typedBalanceBodySchema,
  changes: ["channels"],
});

export const fetchModels = endpoint({
  method: "POST",
  path: "/api/channel/fetch_models",
  guard: "admin",
  area: "channels",
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
  area: "channels",
  summary: "Every model that the gateway knows by name; the answer has no `success`",
  data: plain(z.object({ object: z.literal("list"), data: z.array(z.looseObject({ id: z.string() })) })),
  isEnvelope: true,
  isRepeated: true,
});
