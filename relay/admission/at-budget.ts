import { AUTO_GROUP } from "@tollgate/contract/values/auto-group";
import type { ApiKey, Directory } from "../ports/directory";
import type { OverBudget, RequestLimiter } from "../ports/limits";
import type { Fallbacks } from "../ports/relay-ports";
import { groupsOf } from "../routing/choose-group";
import { type NamedChat, permitsModel, readNamedChat } from "./resolve-model";

/** Another model or group that answers a request because a budget is used up (docs/guides/fallback-models.md). */
export interface AtBudget extends Pick<OverBudget, "code" | "limit"> {
  /** The model that answers, and the effort in its name; the requested one where only the group is another. */
  readonly answer: NamedChat;
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
  readonly directory: Pick<Directory, "candidates" | "groupsOf" | "isListed" | "readsEffortNames">;
  readonly fallbacks?: Fallbacks | undefined;
  readonly limiter?: RequestLimiter | undefined;
}

/** The models that may answer, the preferred one first. */
interface Choice {
  readonly models: readonly string[];
  /** The key's own, not the site's. */
  readonly isOwn: boolean;
}

/** The key's own choice, else the site's list of the model with the cause `budget`; undefined without either. */
const choiceOf = (
  fallbacks: Fallbacks | undefined,
  { budgetModel, budgetGroup, hasNoFallbacks }: ApiKey,
  { model, useModel }: Asked,
): Choice | undefined => {
  // An operation keeps its model, and may go by the chosen group.
  const isGroupAlone = budgetGroup !== undefined && (budgetModel === undefined || !useModel);
  if (isGroupAlone) return { isOwn: true, models: [model] };
  if (budgetModel !== undefined) return { isOwn: true, models: [budgetModel] };
  const site = hasNoFallbacks ? undefined : fallbacks?.of(model);
  return site?.on.includes("budget") ? { isOwn: false, models: site.models } : undefined;
};

/** The groups by which it goes; none where the user may no longer use the chosen one. */
const chosenGroups = (directory: Ports["directory"], key: ApiKey): readonly string[] => {
  const { budgetGroup } = key;
  if (budgetGroup === undefined) return groupsOf(directory, key);
  return budgetGroup === AUTO_GROUP ? [] : directory.groupsOf({ ...key, group: budgetGroup });
};

/** The first model of a choice that the key may use and that a channel of these groups offers. */
const firstUsable = (
  directory: Ports["directory"],
  key: ApiKey,
  { models }: Choice,
  groups: readonly string[],
  { model, useModel }: Asked,
): NamedChat | undefined =>
  models
    .map((name) => (name === model || !useModel ? { model: name } : readNamedChat(directory, key, name)))
    .find(
      ({ model: name, effort }) =>
        (name === model || (useModel !== undefined && permitsModel(key, name, effort?.name))) &&
        groups.some((group) => directory.candidates(group, name).length > 0),
    );

/**
 * Chooses what answers a request whose budget is used up: the key's own choice, else the site's list of the model with
 * the cause `budget`. Called before the limits are checked; it counts nothing.
 * @returns undefined when no budget is used up, when one is used up with its extra quota, and without a choice that can
 * answer: then the limits decide.
 */
export const chooseAtBudget = (
  { directory, fallbacks, limiter }: Ports,
  { key, pinned }: { readonly key: ApiKey; readonly pinned?: unknown },
  asked: Asked,
): AtBudget | undefined => {
  const choice = pinned === undefined ? choiceOf(fallbacks, key, asked) : undefined;
  if (!choice) return undefined;
  const before = groupsOf(directory, key);
  const over = limiter?.overBudget?.(key, before);
  // A budget that only notifies changes nothing that the owner of the key did not choose.
  if (!over || (over.isSoft && !choice.isOwn)) return undefined;
  const groups = chosenGroups(directory, key);
  const answer = firstUsable(directory, key, choice, groups, asked);
  if (answer === undefined) return undefined;
  const { code, limit } = over;
  return key.budgetGroup === undefined
    ? { code, limit, answer, groups: undefined, limitedBy: before }
    : { code, limit, answer, groups, limitedBy: [...new Set([...before, ...groups])] };
};
