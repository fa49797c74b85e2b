/*
 * Builds a world through the management API, as a person would by clicking: for the demo, the tests and the bench.
 */

import type { ApiAnswer, SignedIn } from "./api-client";

/** Waits for an answer. @returns its data. @throws Error with the whole answer when the call was refused. */
export const demand = async (call: Promise<ApiAnswer>): Promise<unknown> => {
  const answer = await call;
  if (answer.body.success !== true) throw new Error(`refused: ${answer.status} ${answer.text}`);
  return answer.body.data;
};

/**
 * Adds a channel.
 * @param channel fields on the wire, where they differ from an OpenAI-compatible one with two models.
 * @returns its id. @throws Error when it is refused.
 */
export const addChannel = async (admin: SignedIn, channel: Record<string, unknown>): Promise<number> => {
  await demand(
    admin.api("POST", "/api/channel/", {
      type: 8,
      name: "upstream",
      key: "upstream-key",
      models: "gpt-3.5-turbo,gpt-4",
      ...channel,
    }),
  );
  const [newest] = (await demand(admin.api("GET", "/api/channel/?p=0"))) as { id: number }[];
  if (!newest) throw new Error("the new channel is not in the list");
  return newest.id;
};

/** An API key as the list shows it. */
export interface ListedToken {
  id: number;
  key: string;
  status: number;
  remain_quota: number;
  used_quota: number;
  unlimited_quota: boolean;
}

/** Makes an API key. @param token fields on the wire. @throws Error when it is refused. */
export const addToken = async (
  owner: SignedIn,
  token: Record<string, unknown> = {},
): Promise<ListedToken> => {
  await demand(owner.api("POST", "/api/token/", { name: "test", remain_quota: 500_000, ...token }));
  const [newest] = (await demand(owner.api("GET", "/api/token/?p=0"))) as ListedToken[];
  if (!newest) throw new Error("the new token is not in the list");
  return newest;
};

/**
 * Adds an ordinary user and signs in as it.
 * @param signIn of the gateway that the user is added to.
 * @param more further fields on the wire: of a new user, and those that only an edit sets (group, quota).
 * @throws Error when it is refused.
 */
export const addUser = async (
  admin: SignedIn,
  signIn: (username: string, password: string) => Promise<SignedIn>,
  username: string,
  {
    password = "password-1",
    display_name = username,
    ...edit
  }: Record<string, unknown> & { password?: string } = {},
): Promise<SignedIn & { id: number; username: string }> => {
  await demand(admin.api("POST", "/api/user/", { username, password, display_name }));
  const found = (await demand(admin.api("GET", `/api/user/search?keyword=${username}`))) as {
    id: number;
    username: string;
  }[];
  const id = found.find((user) => user.username === username)?.id;
  if (id === undefined) throw new Error("the new user is not found");
  if (Object.keys(edit).length > 0) await demand(admin.api("PUT", "/api/user/", { id, ...edit }));
  return { ...(await signIn(username, password)), id, username };
};
