import { AUTO_GROUP } from "@tollgate/contract/values/auto-group";
import type { ApiKey, Directory } from "../ports/directory";
import type { OverBudget, RequestLimiter } from "../ports/limits";
import type { Fallbacks } from "../ports/relay-ports";
import { groupsOf } from "../routing/choose-group";
import { type NamedChat, permitsModel } from "./resolve-model";

/** Another model or group that answers a request because a budget is used up (docs/guides/fallback-models.md). */
export interface AtBudget extends Pick<OverBudget, "code" | "limit"> {
  /** The model that answers; the requested one where only the group is another. */
  readonly model: string;
  /** The only groups by which it may go; undefined for the key's. */
  readonly groups: readonly string[] | undefined;
  /** Groups whose limits apply: those of the key, and the one by which it goes. */
  readonly limitedBy: readonly string[];
}

/** The parts of a request that the choice needs. */
interface Asked {
  readonly model: string;
  /** Absent where no model can replace another. */
  useModel?(model: NamedChat): void;
}

interface Ports {
  readonly directory: Pick<Directory, "candidates" | "groupsOf">;
  readonly fallbacks?: Fallbacks | undefined;
  readonly limiter?: RequestLimiter | undefined;
}

/** The group that the key chose; undefined where its user may no longer use it. */
const chosenGroup = (directory: Ports["directory"], key: ApiKey): readonly string[] | undefined => {
  const { budgetGroup } = key;
  if (budgetGroup === undefined) return groupsOf(directory, key);
  if (budgetGroup === AUTO_GROUP) return undefined;
  const groups = directory.groupsOf({ ...key, group: budgetGroup });
  return groups.length > 0 ? groups : undefined;
};

/**
 * Chooses what answers a request whose budget is used up: the key's own choice, else the site's list of the model with
 * the cause `budget`. Called before the limits are checked; it counts nothing.
 * @returns undefined when no budget is used up, when one is used up with its extra quota, and without a choice that can
 * answer: then the limits decide.
 */
export const chooseAtBudget = (
  { directory, fallbacks, limiter }: Ports,
  { key, pinned }: { readonly key: ApiKey; readonly pinned?: unknown },
  { model, useModel }: Asked,
): AtBudget | undefined => {
  const isOwn = key.budgetModel !== undefined || key.budgetGroup !== undefined;
  const site = isOwn || key.hasNoFallbacks ? undefined : fallbacks?.of(model);
  if ((!isOwn && !site?.on.includes("budget")) || pinned !== undefined) return undefined;
  const before = groupsOf(directory, key);
  const over = limiter?.overBudget?.(key, before);
  // A budget that only notifies changes nothing that the owner of the key did not choose.
  if (!over || (over.isSoft && !isOwn)) return undefined;
  const groups = chosenGroup(directory, key);
  if (!groups) return undefined;
  const isAllowed = (name: string): boolean =>
    name === model || (useModel !== undefined && permitsModel(key, name, undefined));
  const isOffered = (name: string): boolean =>
    groups.some((group) => directory.candidates(group, name).length > 0);
  const models = isOwn ? [key.budgetModel ?? model] : (site?.models ?? []);
  const chosen = models.find((name) => isAllowed(name) && isOffered(name));
  if (chosen === undefined) return undefined;
  const isOtherGroup = key.budgetGroup !== undefined;
  return {
    code: over.code,
    limit: over.limit,
    model: chosen,
    groups: isOtherGroup ? groups : undefined,
    limitedBy: isOtherGroup ? [...new Set([...before, ...groups])] : before,
  };
};
