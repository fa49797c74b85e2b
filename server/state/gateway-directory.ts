import type { Accounts } from "@tollgate/accounts/accounts";
import type { ApiKey, Directory as RelayDirectory } from "@tollgate/relay/ports/directory";
import type { Channels } from "@tollgate/relay/routing/channels";
import type { GroupAccess } from "./group-access";

/** The relay's view of accounts and channels. */
export interface GatewayDirectory extends RelayDirectory {
  /** Models that a key can use now. */
  modelsOfKey(key: ApiKey): string[];
}

export const createGatewayDirectory = (
  { keys }: Accounts,
  channels: Channels,
  groups: Pick<GroupAccess, "groupsOf">,
): GatewayDirectory => ({
  findKey: (key) => keys.find(key),
  markKey: (key, status) => keys.mark(key, status),
  keysOfChannel: (id) => channels.keysOf(id),
  groupsOf: (key) => groups.groupsOf(key),
  candidates: (group, model) => channels.candidates(group, model),
  isListed: (group, model) => channels.isListed(group, model),
  reportDeadKey: (channel, reason) => channels.reportDeadKey(channel, reason),
  modelsOfKey: (key) => channels.modelsOfKey(groups.groupsOf(key), key.models),
});
