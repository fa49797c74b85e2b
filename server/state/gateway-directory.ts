import type { Accounts } from "@tollgate/accounts/accounts";
import { type AliasOwner, resolveModel } from "@tollgate/relay/admission/resolve-model";
import type { ApiKey, Directory as RelayDirectory } from "@tollgate/relay/ports/directory";
import type { Channels } from "@tollgate/relay/routing/channels";
import type { GroupAccess } from "./group-access";
import type { Options } from "./options";

/** The relay's view of accounts and channels. */
export interface GatewayDirectory extends RelayDirectory {
  /** Models that a key can use now. */
  modelsOfKey(key: ApiKey): string[];
  /** The names by which a key can ask for them, sorted: their own and its aliases without a wildcard. */
  namesOfKey(key: ApiKey): NamedModel[];
}

/** A model under the name by which a key asks for it. */
export interface NamedModel {
  readonly name: string;
  readonly model: string;
}

/** @param usable the models that the key can use now. */
export const namedModels = (key: AliasOwner, usable: readonly string[]): NamedModel[] => {
  const aliases = [...(key.aliases?.names ?? []), ...(key.user.aliases?.names ?? [])];
  const isUsable = new Set(usable);
  // An alias may have the name of a model, which then cannot be asked for.
  return [...new Set([...usable, ...aliases])]
    .sort()
    .map((name) => ({ name, model: resolveModel(key, name).model }))
    .filter(({ model }) => isUsable.has(model));
};

export const createGatewayDirectory = (
  { keys }: Accounts,
  channels: Channels,
  groups: Pick<GroupAccess, "groupsOf">,
  options: Pick<Options, "isOn">,
): GatewayDirectory => ({
  readsEffortNames: () => options.isOn("EffortNames"),
  findKey: (key) => keys.find(key),
  markKey: (key, status) => keys.mark(key, status),
  keysOfChannel: (id) => channels.keysOf(id),
  groupsOf: (key) => groups.groupsOf(key),
  candidates: (group, model) => channels.candidates(group, model),
  isListed: (group, model) => channels.isListed(group, model),
  reportDeadKey: (channel, reason) => channels.reportDeadKey(channel, reason),
  modelsOfKey: (key) => channels.modelsOfKey(groups.groupsOf(key), key.models),
  namesOfKey: (key) => namedModels(key, channels.modelsOfKey(groups.groupsOf(key), key.models)),
});
