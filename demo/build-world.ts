/*
 * Builds a world through the management API, as a person would by clicking: for the demo, the tests and the bench.
 */

import { type ApiKey, createApiKey, listApiKeys } from "@tollgate/contract/api/api-keys";
import { createChannels, listChannels } from "@tollgate/contract/api/channels";
import { changeUser, createUser, searchUsers } from "@tollgate/contract/api/users";
import { type CallOf, type DataOf, type Endpoint, requestOf } from "@tollgate/contract/resource/endpoint";
import type { ApiAnswer, SignedIn } from "./api-client";

const demandEnvelope = async (call: Promise<ApiAnswer>): Promise<ApiAnswer["body"]> => {
  const answer = await call;
  if (answer.body.success !== true) throw new Error(`refused: ${answer.status} ${answer.text}`);
  return answer.body;
};

/** Waits for an answer. @returns its data. @throws Error with the whole answer when the call was refused. */
export const demand = async (call: Promise<ApiAnswer>): Promise<unknown> => (await demandEnvelope(call)).data;

/**
 * Makes a declared call.
 * @returns its data. @throws Error with the whole answer when the call was refused, or its data is not the endpoint's.
 */
export const ask = async <E extends Endpoint>(
  caller: SignedIn,
  endpoint: E,
  call: CallOf<E>,
): Promise<DataOf<E>> => {
  const { method, path, query = {}, body } = requestOf(endpoint, call);
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.set(name, String(value));
  const envelope = await demandEnvelope(
    caller.api(method, parameters.size > 0 ? `${path}?${parameters}` : path, body),
  );
  const read = endpoint.data?.read(endpoint.isEnvelope ? envelope : envelope.data);
  if (endpoint.data && !endpoint.data.isOptional && read === undefined)
    throw new Error(`${method} ${path} answered ${JSON.stringify(envelope)}`);
  return read as DataOf<E>;
};

/** Fields on the wire as a test sends them, fitting or not. */
type Sent = Readonly<Record<string, unknown>>;

/**
 * Adds a channel.
 * @param channel fields on the wire, where they differ from an OpenAI-compatible one with two models.
 * @returns its id. @throws Error when it is refused.
 */
export const addChannel = async (admin: SignedIn, channel: Sent): Promise<number> => {
  const usual = { type: 8, name: "upstream", key: "upstream-key", models: "gpt-3.5-turbo,gpt-4" };
  await ask(admin, createChannels, { body: { ...usual, ...channel } });
  const [newest] = await ask(admin, listChannels, { query: { p: 0 } });
  if (!newest) throw new Error("the new channel is not in the list");
  return newest.id;
};

/** Makes an API key. @param token fields on the wire. @throws Error when it is refused. */
export const addApiKey = async (owner: SignedIn, token: Sent = {}): Promise<ApiKey> => {
  await ask(owner, createApiKey, { body: { name: "test", remain_quota: 500_000, ...token } });
  const [newest] = await ask(owner, listApiKeys, { query: { p: 0 } });
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
  }: Sent & { readonly password?: string; readonly display_name?: string } = {},
): Promise<SignedIn & { id: number; username: string }> => {
  await ask(admin, createUser, { body: { username, password, display_name } });
  const found = await ask(admin, searchUsers, { query: { keyword: username } });
  const id = found.find((user) => user.username === username)?.id;
  if (id === undefined) throw new Error("the new user is not found");
  if (Object.keys(edit).length > 0) await ask(admin, changeUser, { body: { id, ...edit } });
  return { ...(await signIn(username, password)), id, username };
};
