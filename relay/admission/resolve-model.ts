import { type EffortName, readEffortName } from "@tollgate/protocols/effort-names";
import type { Refusal } from "../ports/client";
import type { ApiKey, Directory } from "../ports/directory";
import { groupsOf } from "../routing/choose-group";

/** The model of a request, and the name that the client sent for it. */
export interface ResolvedModel {
  /** Used in place of the client's name from here on: by permissions, limits, prices, channels and fallbacks. */
  readonly model: string;
  /** The client's name, where it is an alias; undefined where it is the model's own. */
  readonly alias: string | undefined;
}

/** An amount of reasoning that the name of a chat's model asks for. */
export interface NamedEffort extends Pick<EffortName, "reasoning"> {
  /** The model's name with its effort: "gpt-5-high". */
  readonly name: string;
}

/** The model of a chat, and the effort that its name asks for; undefined for none. */
export interface ResolvedChat extends ResolvedModel {
  readonly effort?: NamedEffort | undefined;
}

/** The owner of a request's aliases. */
export type AliasOwner = Pick<ApiKey, "aliases"> & { readonly user: Pick<ApiKey["user"], "aliases"> };

/**
 * Resolves the name that a client sent, once: the key's aliases first, then its user's. The result is no alias again,
 * whatever the other list says, so that no names lead in a circle.
 */
export const resolveModel = ({ aliases, user }: AliasOwner, name: string): ResolvedModel => {
  const model = aliases?.find(name) ?? user.aliases?.find(name);
  return model === undefined || model === name ? { model: name, alias: undefined } : { model, alias: name };
};

/** A chat's model, and the effort that the name asks for; undefined for none. */
export type NamedChat = Pick<ResolvedChat, "model" | "effort">;

/**
 * Reads the effort at the end of a model's name. A name that a channel lists for the key's groups is that model's own,
 * whatever it ends with.
 */
export const readNamedChat = (
  directory: Pick<Directory, "isListed" | "groupsOf" | "readsEffortNames">,
  key: ApiKey,
  name: string,
): NamedChat => {
  const found = directory.readsEffortNames?.() ? readEffortName(name) : undefined;
  if (!found) return { model: name };
  const groups = groupsOf(directory, key);
  const isListed = (model: string): boolean => groups.some((group) => directory.isListed(group, model));
  if (isListed(name) || !isListed(found.base)) return { model: name };
  return { model: found.base, effort: { name, reasoning: found.reasoning } };
};

/** Resolves the client's name of a chat's model, which may be an alias and may end with an effort. */
export const resolveChat = (
  directory: Pick<Directory, "isListed" | "groupsOf" | "readsEffortNames">,
  key: ApiKey,
  name: string,
): ResolvedChat => {
  const resolved = resolveModel(key, name);
  const named = readNamedChat(directory, key, resolved.model);
  return named.effort ? { ...named, alias: name } : resolved;
};

/** Whether a key's list of models permits a model, by its own name or by that with the effort. */
export const permitsModel = (
  { models }: Pick<ApiKey, "models">,
  model: string,
  effortName: string | undefined,
): boolean => !models || models.has(model) || (effortName !== undefined && models.has(effortName));

/** A refusal that names the model of a request also names the alias by which the client asked for it. */
export const withAlias = <R extends Pick<Refusal, "params">>(
  refusal: R,
  { model, alias }: Partial<ResolvedModel>,
): R =>
  alias === undefined || refusal.params?.model !== model
    ? refusal
    : { ...refusal, params: { ...refusal.params, alias } };
