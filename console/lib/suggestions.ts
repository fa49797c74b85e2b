import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { listApiKeys, searchApiKeys } from "@tollgate/contract/api/api-keys";
import { listChannels, searchChannels } from "@tollgate/contract/api/channels";
import { listUsers, searchUsers } from "@tollgate/contract/api/users";
import { callEndpoint } from "./call-endpoint";

/** A record that a field may name. */
export interface Suggestion {
  /** The value of the field, and of the address, once chosen. */
  value: string;
  label: string;
  /** Distinguishes records with the same name. */
  hint?: string;
}

/** Records of one kind that match a typed text; the newest for an empty text. */
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

/** The user's own keys by name. Keys may share a name, and the log identifies keys by name. */
export const ownKeySource: SuggestionSource = {
  kind: "own-key",
  find: async (typed, signal) => {
    const tokens = await (typed === ""
      ? callEndpoint(listApiKeys, NEWEST, signal)
      : callEndpoint(searchApiKeys, search(typed), signal));
    const names = new Set(tokens.map(({ name }) => name).filter((name) => name !== ""));
    return [...names].map((name) => ({ value: name, label: name }));
  },
};

/** A failed search suggests nothing: the typed text is valid without it. */
export const suggestionsQuery = ({ kind, find }: SuggestionSource, typed: string) =>
  queryOptions({
    queryKey: ["suggestions", kind, typed],
    queryFn: async ({ signal }) => (await find(typed, signal)).slice(0, MAX_SUGGESTIONS),
    meta: { silent: true },
    staleTime: KEPT_MS,
    retry: false,
    placeholderData: keepPreviousData,
  });
