import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { listChannels, searchChannels } from "@tollgate/contract/api/channels";
import { listTokens, searchTokens } from "@tollgate/contract/api/tokens";
import { listUsers, searchUsers } from "@tollgate/contract/api/users";
import { callEndpoint } from "./call-endpoint";

/** A record that a field may name. */
export interface Suggestion {
  /** Stands in the field, and in the address, once it is chosen. */
  value: string;
  label: string;
  /** Tells records of the same name apart. */
  hint?: string;
}

/** Records of one kind, found by what was typed. An empty text finds the newest. */
export interface SuggestionSource {
  kind: string;
  find: (typed: string, signal: AbortSignal) => Promise<Suggestion[]>;
}

const MAX_SUGGESTIONS = 8;
const KEPT_MS = 10_000;

const NEWEST = { query: { p: 0 } };
const search = (keyword: string) => ({ query: { keyword, limit: MAX_SUGGESTIONS } });

/** Channels by name or number, for administrators. */
export const channelSource: SuggestionSource = {
  kind: "channel",
  find: async (typed, signal) => {
    const channels = await (typed === ""
      ? callEndpoint(listChannels, NEWEST, signal)
      : callEndpoint(searchChannels, search(typed), signal));
    return channels.map(({ id, name }) => ({ value: String(id), label: name, hint: `#${id}` }));
  },
};

/** Users by name, e-mail or number, for administrators. */
export const userSource: SuggestionSource = {
  kind: "user",
  find: async (typed, signal) => {
    const users = await (typed === ""
      ? callEndpoint(listUsers, NEWEST, signal)
      : callEndpoint(searchUsers, search(typed), signal));
    return users.map(({ id, username }) => ({ value: username, label: username, hint: `#${id}` }));
  },
};

/** The reader's own keys by name. Keys may share a name, by which the log tells them. */
export const ownKeySource: SuggestionSource = {
  kind: "own-key",
  find: async (typed, signal) => {
    const tokens = await (typed === ""
      ? callEndpoint(listTokens, NEWEST, signal)
      : callEndpoint(searchTokens, search(typed), signal));
    const names = new Set(tokens.map(({ name }) => name).filter((name) => name !== ""));
    return [...names].map((name) => ({ value: name, label: name }));
  },
};

/** A search that fails suggests nothing: what is typed counts without it. */
export const suggestionsQuery = ({ kind, find }: SuggestionSource, typed: string) =>
  queryOptions({
    queryKey: ["suggestions", kind, typed],
    queryFn: async ({ signal }) => (await find(typed, signal)).slice(0, MAX_SUGGESTIONS),
    meta: { silent: true },
    staleTime: KEPT_MS,
    retry: false,
    placeholderData: keepPreviousData,
  });
