import type { SignedIn } from "./server-process";

/** Adds a channel through the API. @throws Error when it is refused. */
export const addChannel = async (admin: SignedIn, channel: Record<string, unknown>): Promise<number> => {
  const answer = await admin.api("POST", "/api/channel/", {
    type: 8,
    name: "upstream",
    key: "upstream-key",
    models: "gpt-3.5-turbo,gpt-4",
    ...channel,
  });
  if (answer.body.success !== true) throw new Error(`the channel was refused: ${answer.text}`);
  const listed = await admin.api("GET", "/api/channel/?p=0");
  return (listed.body.data as { id: number }[])[0]?.id ?? 0;
};

/** A token as the list shows it. */
export interface ListedToken {
  id: number;
  key: string;
  status: number;
  remain_quota: number;
  used_quota: number;
  unlimited_quota: boolean;
}

/** Makes a key through the API. @throws Error when it is refused. */
export const addToken = async (
  owner: SignedIn,
  token: Record<string, unknown> = {},
): Promise<ListedToken> => {
  const answer = await owner.api("POST", "/api/token/", { name: "test", remain_quota: 500_000, ...token });
  if (answer.body.success !== true) throw new Error(`the token was refused: ${answer.text}`);
  const listed = await owner.api("GET", "/api/token/?p=0");
  const newest = (listed.body.data as ListedToken[])[0];
  if (!newest) throw new Error("the new token is not in the list");
  return newest;
};

/** Adds an ordinary user and signs in as it. */
export const addUser = async (
  admin: SignedIn,
  signIn: (username: string, password: string) => Promise<SignedIn>,
  username: string,
  more: Record<string, unknown> = {},
): Promise<SignedIn & { id: number; username: string }> => {
  const password = "password-1";
  const created = await admin.api("POST", "/api/user/", { username, password, display_name: username });
  if (created.body.success !== true) throw new Error(`the user was refused: ${created.text}`);
  const found = await admin.api("GET", `/api/user/search?keyword=${username}`);
  const id = (found.body.data as { id: number; username: string }[]).find(
    (user) => user.username === username,
  )?.id;
  if (id === undefined) throw new Error("the new user is not found");
  if (Object.keys(more).length > 0) await admin.api("PUT", "/api/user/", { id, ...more });
  return { ...(await signIn(username, password)), id, username };
};
