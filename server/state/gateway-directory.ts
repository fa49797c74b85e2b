import type { Accounts } from "@tollgate/accounts/accounts";
import {
  type AliasOwner,
  type NamedChat,
  permitsModel,
  resolveChat,
  resolveModel,
} from "@tollgate/relay/admission/resolve-model";
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

/**
 * @param usable the models that the key can use now.
 * @param read reads a name, which may end with an effort.
 */
export const namedModels = (
  key: AliasOwner & Pick<ApiKey, "models">,
  usable: readonly string[],
  read: (name: string) => NamedChat = (name) => resolveModel(key, name),
): NamedModel[] => {
  const aliases = [...(key.aliases?.names ?? []), ...(key.user.aliases?.names ?? [])];
  const isUsable = new Set(usable);
  // An alias may have the name of a model, which then cannot be asked for. A key's list may name models with an effort.
  return [...new Set([...usable, ...aliases, ...(key.models ?? [])])].sort().flatMap((name) => {
    const { model, effort } = read(name);
    const isPermitted = effort ? permitsModel(key, model, effort.name) : isUsable.has(model);
    return isPermitted ? [{ name, model }] : [];
  });
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
  namesOfKey(key) {
    const usable = channels.modelsOfKey(groups.groupsOf(key), key.models);
    return namedModels(key, usable, (name) => resolveChat(this, key, name));
  },
});
