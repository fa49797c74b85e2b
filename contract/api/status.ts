import * as z from "zod/mini";
import { endpoint } from "../resource/endpoint";
import {
  decimal,
  flag,
  int,
  maybeDecimal,
  maybeFlag,
  maybeInt,
  maybeText,
  schemasOf,
  text,
} from "../resource/fields";
import { plain } from "../resource/resource";
import { SIGN_IN_METHODS, type SignInMethod } from "../sign-in/methods";
import type { OwnOption, TextsOf } from "../sign-in/sign-in-method";
import { DEFAULT_QUOTA_PER_UNIT } from "../values/quota";

type TextFieldOf<Method> = Method extends { options: infer Options } ? keyof TextsOf<Options> : never;
type FlagField = ReturnType<typeof flag<string>>;
type TextField = ReturnType<typeof text<string>>;

/** Fields of the sign-in methods: whether each is offered, and the public values of its options. */
const signInFields = Object.fromEntries(
  SIGN_IN_METHODS.flatMap(({ switch: { status: offered }, options }) => [
    [offered, flag(offered)],
    ...Object.values<OwnOption>(options).flatMap(({ status }) =>
      status === undefined ? [] : [[status, text(status)]],
    ),
  ]),
) as Record<SignInMethod["switch"]["status"], FlagField> & Record<TextFieldOf<SignInMethod>, TextField>;

/** An OpenID Connect provider that guests are offered. */
const offeredProvider = z.object({ slug: z.string(), name: z.string() });
export type OfferedProvider = z.infer<typeof offeredProvider>;

/** Beyond the contract, and only there where the site offers some (sign-in-providers.ts). */
const offeredProviders = {
  name: "sign_in_providers",
  strict: z.optional(z.array(offeredProvider)),
  loose: z.catch(z.optional(z.array(offeredProvider)), undefined),
} as const;

/** The fields of GET /api/status, which have the same names inside. */
const statusFields = {
  version: text("version"),
  start_time: int("start_time"),
  email_verification: flag("email_verification"),
  ...signInFields,
  system_name: text("system_name"),
  logo: text("logo"),
  footer_html: text("footer_html"),
  server_address: text("server_address"),
  turnstile_check: flag("turnstile_check"),
  turnstile_site_key: text("turnstile_site_key"),
  top_up_link: text("top_up_link"),
  chat_link: text("chat_link"),
  quota_per_unit: decimal("quota_per_unit"),
  display_in_currency: flag("display_in_currency"),
  /**
   * Beyond the contract, and only there where amounts are shown in another currency than US dollars: the currency, its
   * symbol, and its units per US dollar today.
   */
  display_currency: maybeText("display_currency"),
  display_symbol: maybeText("display_symbol"),
  display_rate: maybeDecimal("display_rate"),
  /** Beyond the contract, and only there where quota can be bought. */
  payments: maybeFlag("payments"),
  /** Beyond the contract: whether users can apply for invoices. */
  invoices: maybeFlag("invoices"),
  /** Beyond the contract: whether users can open tickets. */
  tickets: maybeFlag("tickets"),
  /** Beyond the contract: what the site says of itself in a sentence. */
  system_slogan: maybeText("system_slogan"),
  /** Beyond the contract: who may see the page of prices ("off", "signed-in", "public"). */
  price_page: maybeText("price_page"),
  /** Beyond the contract: who may see how models were served, with the same words. */
  model_status: maybeText("model_status"),
  /** Beyond the contract: whether there is a page for the owner of a key without an account. */
  key_page: maybeFlag("key_page"),
  /** Beyond the contract: whether users can try models by their session (contract/values/playground.ts). */
  playground: maybeFlag("playground"),
  /** Beyond the contract, and only present where the site keeps texts of requests and answers. */
  body_log: maybeFlag("body_log"),
  /** Beyond the contract, and only there where the site offers plans. */
  plans: maybeFlag("plans"),
  /** Beyond the contract, and only there where a registration takes a promotion code. */
  registration_codes: maybeFlag("registration_codes"),
  /** Beyond the contract, and only there where the site has terms: their version, and which texts there are. */
  terms_version: maybeInt("terms_version"),
  user_agreement: maybeFlag("user_agreement"),
  privacy_policy: maybeFlag("privacy_policy"),
  /** Beyond the contract, and only there where a passkey alone signs in. */
  passkey_login: maybeFlag("passkey_login"),
  /** Beyond the contract, and only there while root has no password of its own. */
  setup_pending: maybeFlag("setup_pending"),
  /** Beyond the contract, and only there where lists can be sorted (resource/list-sort.ts) and narrowed (list-filter.ts). */
  list_queries: maybeFlag("list_queries"),
  /** Beyond the contract: filters of lists that came later (LIST_EXTRAS), separated by spaces. Other servers ignore them. */
  list_extras: maybeText("list_extras"),
  sign_in_providers: offeredProviders,
};

/**
 * Abilities of lists that came after `list_queries`: searches that are paged, sorted and filtered, and the log's filter
 * by outcome, the channels' by ids; changes of many keys and users at once.
 */
export const LIST_EXTRAS = [
  "searches",
  "log-outcome",
  "channel-ids",
  "batches",
  "sessions",
  "second-factor",
  "terms",
  "passkeys",
  "sign-in-providers",
  "permission-sets",
  "management-keys",
] as const;
export type ListExtra = (typeof LIST_EXTRAS)[number];

/** The status object of contract section 1.1; every key of it is always present. */
const statusSchema = z.object(schemasOf(statusFields, "strict"));
export type Status = z.infer<typeof statusSchema>;

const statusReader = z.object(schemasOf(statusFields, "loose"));

/** Reads a server's status; missing keys get neutral values, a missing or zero unit the default one. */
export const readStatus = (value: unknown): Status => {
  const parsed = statusReader.safeParse(value);
  const status = parsed.success ? parsed.data : statusReader.parse({});
  return {
    ...status,
    quota_per_unit: status.quota_per_unit > 0 ? status.quota_per_unit : DEFAULT_QUOTA_PER_UNIT,
  };
};

export const status = plain(statusSchema, readStatus);

export const getStatus = endpoint({
  method: "GET",
  path: "/api/status",
  guard: "none",
  summary: "The site's public settings",
  data: status,
  reads: "status",
});
