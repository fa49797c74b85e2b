import type { Refusal } from "../ports/client";
import type { ApiKey } from "../ports/directory";

/** The model of a request, and the name that the client sent for it. */
export interface ResolvedModel {
  /** Used in place of the client's name from here on: by permissions, limits, prices, channels and fallbacks. */
  readonly model: string;
  /** The client's name, where it is an alias; undefined where it is the model's own. */
  readonly alias: string | undefined;
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

/** A refusal that names the model of a request also names the alias by which the client asked for it. */
export const withAlias = <R extends Pick<Refusal, "params">>(
  refusal: R,
  { model, alias }: Partial<ResolvedModel>,
): R =>
  alias === undefined || refusal.params?.model !== model
    ? refusal
    : { ...refusal, params: { ...refusal.params, alias } };
