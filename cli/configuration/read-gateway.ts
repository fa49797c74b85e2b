import { type Channel, listChannels } from "@tollgate/contract/api/channels";
import {
  OPENED_AT_ONCE,
  openSealedTexts,
  type SealedText,
  sealSecrets,
} from "@tollgate/contract/api/configuration";
import { listOptions } from "@tollgate/contract/api/options";
import { listPlans, type Plan } from "@tollgate/contract/api/plans";
import type { User } from "@tollgate/contract/api/user";
import { listUsers } from "@tollgate/contract/api/users";
import { CHANNEL_LIMITS } from "@tollgate/contract/management/channel-limits";
import { isSecretOption } from "@tollgate/contract/options/option-rights";
import { isOptionKey, type OptionKey } from "@tollgate/contract/options/options";
import { toNamedLimits } from "@tollgate/contract/resource/limits";
import { callEndpoint, type OperatorApi } from "../operator/operator-api";
import { readPages } from "../operator/read-pages";
import type { CurrentChannel } from "./configuration";

/** Current state of a gateway. */
export interface CurrentState {
  /** By name; secret ones are not among them. */
  options: ReadonlyMap<OptionKey, string>;
  /** In the order of their ids. */
  channels: readonly CurrentChannel[];
  /** In the order of their ids; none where they are not asked for. */
  users: readonly User[];
  /** In the order in which they are offered. */
  plans: readonly Plan[];
}

/** Secrets as `GET /api/configuration/secrets` seals them. "" for none. */
export interface CurrentSecrets {
  /** Of each channel, by its id. */
  channels: ReadonlyMap<number, { key: string; proxy: string; headers: Record<string, string> }>;
  options: ReadonlyMap<string, string>;
}

/** A channel as the wire has it, as a file compares it. */
export const toCurrentChannel = ({
  id,
  name,
  type,
  status,
  baseUrl,
  other,
  models,
  groups,
  modelMapping,
  priority,
  weight,
  tag,
  testModel,
  skipsTests,
  calendar,
  proxy,
  buyingPrices,
  overrides,
  ...limits
}: Channel): CurrentChannel => ({
  id,
  name,
  type,
  status,
  base_url: baseUrl,
  other,
  models,
  groups,
  model_mapping: modelMapping,
  priority,
  weight,
  buying_prices: buyingPrices === undefined ? undefined : JSON.parse(buyingPrices),
  tag,
  test_model: testModel,
  skip_tests: skipsTests,
  calendar,
  ...toNamedLimits(CHANNEL_LIMITS, limits),
  shownProxy: proxy,
  shownOverrides: overrides || undefined,
});

/** @param withUsers whether users are wanted: there may be many. @throws OperatorRefused */
export const readCurrentState = async (api: OperatorApi, withUsers: boolean): Promise<CurrentState> => {
  const users = withUsers ? await readPages(api, listUsers) : [];
  const channels = await readPages(api, listChannels);
  const options = new Map<OptionKey, string>();
  for (const { key, value } of await callEndpoint(api, listOptions, {})) {
    if (isOptionKey(key) && !isSecretOption(key)) options.set(key, value);
  }
  return {
    options,
    plans: await callEndpoint(api, listPlans, {}),
    users: [...users].sort((a, b) => a.id - b.id),
    channels: channels.map(toCurrentChannel).sort((a, b) => a.id - b.id),
  };
};

/** @throws OperatorRefused @throws Error where another version answers. */
export const readCurrentSecrets = async (api: OperatorApi): Promise<CurrentSecrets> => {
  const read = await callEndpoint(api, sealSecrets, {});
  return {
    channels: new Map(read.channels.map(({ id, ...secrets }) => [id, secrets])),
    options: new Map(read.options.map(({ key, value }) => [key, value])),
  };
};

/** Opens one sealed text for a use. @returns undefined where this installation has not sealed it for that. */
export type OpenSealed = (sealed: SealedText) => string | undefined;

/** Opens sealed texts, each for its use. @returns knows of these alone. */
export const openSecrets = async (api: OperatorApi, sealed: readonly SealedText[]): Promise<OpenSealed> => {
  const nameOf = ({ text, use }: SealedText): string => JSON.stringify([text, use]);
  const opened = new Map<string, string | undefined>();
  const unknown = [...new Map(sealed.map((each) => [nameOf(each), each])).values()].filter(
    ({ text }) => text !== "",
  );
  for (let at = 0; at < unknown.length; at += OPENED_AT_ONCE) {
    const part = unknown.slice(at, at + OPENED_AT_ONCE);
    const texts = await callEndpoint(api, openSealedTexts, { body: { sealed: part } });
    for (const [index, each] of part.entries()) opened.set(nameOf(each), texts[index] ?? undefined);
  }
  return (each) => (each.text === "" ? "" : opened.get(nameOf(each)));
};
