import { DEFAULT_GROUP } from "@tollgate/contract/management/group";
import type { OptionKey } from "@tollgate/contract/options/options";
import { OPTION_KEYS } from "@tollgate/contract/options/options";
import { CHANNEL_DISABLED_BY_HAND } from "@tollgate/contract/values/statuses";
import { isRecord } from "@tollgate/protocols/shared/json/json-values";
import { NEW_PLAN } from "@tollgate/server/management-api/money/plan-rules";
import { defaultOf } from "@tollgate/server/state/options";
import { findVendor } from "@tollgate/vendors/vendors";
import { Document, isMap, isScalar, isSeq } from "yaml";
import { writeFileOverrides } from "./file-overrides";
import { canonical, meansSame, readOptionText } from "./option-value";
import { toFilePlan } from "./plan-changes";
import { FILE_VERSION } from "./read-file";
import type { CurrentSecrets, CurrentState } from "./read-gateway";
import { toFileUser } from "./user-changes";

const HEAD = ` What this gateway is set to, written by tollgate export. tollgate apply shows what a change of it would do.
 docs/guides/configuration-as-a-file.md`;

/** Only options that a person set: one with its default follows the default of the next version, too. */
const optionsOf = (
  { options }: CurrentState,
  secrets: CurrentSecrets | undefined,
): Record<string, unknown> => {
  const written: Record<string, unknown> = {};
  const fileValueOf = (key: OptionKey): unknown => {
    const sealed = secrets?.options.get(key) ?? "";
    if (sealed !== "") return { sealed };
    const text = options.get(key);
    return text === undefined || meansSame(key, text, defaultOf(key)) ? undefined : readOptionText(key, text);
  };
  for (const key of OPTION_KEYS) {
    const value = fileValueOf(key);
    if (value !== undefined) written[key] = value;
  }
  return written;
};

const proxyOf = (shown: string, sealed: string | undefined): unknown => {
  if (shown === "") return undefined;
  const hasPassword = URL.canParse(shown) && new URL(shown).password !== "";
  if (!hasPassword) return shown;
  return sealed ? { sealed } : undefined;
};

/** Only set fields: no "", 0, false or {}. */
const withoutUnset = (fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) =>
      isRecord(value) ? Object.keys(value).length > 0 : Boolean(value),
    ),
  );

const channelsOf = (
  { channels }: CurrentState,
  secrets: CurrentSecrets | undefined,
): Record<string, unknown>[] =>
  channels.map(({ id, name, type, status, shownProxy, shownOverrides, models, groups, ...channel }) => {
    const { base_url, other, model_mapping, priority, weight, buying_prices, ...rest } = channel;
    const { tag, test_model, skip_tests, calendar, ...limits } = rest;
    const sealed = secrets?.channels.get(id);
    const fields = {
      name,
      type,
      // A channel that the gateway switched off by itself is no setting.
      enabled: status === CHANNEL_DISABLED_BY_HAND ? false : undefined,
      ...withoutUnset({ base_url, other }),
      models,
      groups: canonical(groups) === canonical([DEFAULT_GROUP]) ? undefined : groups,
      ...withoutUnset({ model_mapping, priority, weight, buying_prices }),
      ...withoutUnset({ tag, test_model, skip_tests, calendar, ...limits }),
      proxy: proxyOf(shownProxy, sealed?.proxy),
      overrides: writeFileOverrides(shownOverrides, sealed?.headers),
      key: sealed && sealed.key !== "" ? { sealed: sealed.key } : undefined,
    };
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  });

const usersOf = ({ users }: CurrentState): Record<string, unknown>[] =>
  users.map(toFileUser).map(({ username, display_name, role, enabled, group, ...limits }) => ({
    username,
    ...(display_name === username ? {} : { display_name }),
    ...(role === "user" ? {} : { role }),
    ...(enabled ? {} : { enabled }),
    ...(group === DEFAULT_GROUP ? {} : { group }),
    ...Object.fromEntries(Object.entries(limits).filter(([, value]) => value > 0)),
  }));

/** Fields of each plan that differ from the defaults. */
const plansOf = ({ plans }: CurrentState): Record<string, unknown>[] =>
  plans.map(toFilePlan).map(({ title, ...fields }) => ({
    title,
    ...Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== usual.get(name))),
  }));

const usual = new Map<string, unknown>(Object.entries(toFilePlan({ ...NEW_PLAN, id: 0, createdTime: 0 })));

/** The vendors' names beside their numbers. */
const nameTypes = (document: Document): void => {
  const channels = document.get("channels");
  if (!isSeq(channels)) return;
  for (const channel of channels.items) {
    const type = isMap(channel) ? channel.get("type", true) : undefined;
    if (isScalar(type)) type.comment = ` ${findVendor(Number(type.value))?.name ?? "unknown"}`;
  }
};

/**
 * Writes the configuration down, always in the same order and form.
 * @param secrets sealed; undefined leaves them out.
 */
export const writeConfiguration = (
  state: CurrentState,
  secrets: CurrentSecrets | undefined,
  format: "yaml" | "json",
): string => {
  const content = {
    version: FILE_VERSION,
    options: optionsOf(state, secrets),
    channels: channelsOf(state, secrets),
    ...(state.plans.length === 0 ? {} : { plans: plansOf(state) }),
    ...(state.users.length === 0 ? {} : { users: usersOf(state) }),
  };
  if (format === "json") return `${JSON.stringify(content, null, 2)}\n`;
  const document = new Document(content, { aliasDuplicateObjects: false });
  document.commentBefore = HEAD;
  nameTypes(document);
  return document.toString({ lineWidth: 0 });
};
