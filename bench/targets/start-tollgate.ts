import { join } from "node:path";
import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import {
  createDataDir,
  type ServerProcess,
  type SignedIn,
  startServer,
} from "@tollgate/testkit/server-process";
import { CHAT_MODEL } from "../load/chat-request";
import { pin } from "../load/pin";
import { PROGRAMS_FOLDER } from "../load/start-program";
import type { Target, TargetSettings } from "./target";

/** The built product. */
export const SERVER_FOLDER = join(PROGRAMS_FOLDER, "..", "server");
export const SERVER_MAIN = join(SERVER_FOLDER, "main.js");

/** Enough for every request of a long run. */
const QUOTA = 900_000_000_000;
const CHANNEL_NAME = "upstream of the bench";
const TOKEN_NAME = "key of the bench";

export interface TollgateTarget extends Target {
  server: ServerProcess;
  root: SignedIn;
  /** Starts it once more on the same folder, after it was stopped. */
  again(): Promise<Target>;
}

/** Removes an earlier run's records from a kept data folder. */
const removeEarlier = async (root: SignedIn): Promise<void> => {
  for (const [resource, name] of [
    ["channel", CHANNEL_NAME],
    ["token", TOKEN_NAME],
  ] as const) {
    const found = await root.api("GET", `/api/${resource}/search?keyword=${encodeURIComponent(name)}`);
    for (const { id } of found.body.data as { id: number }[])
      await root.api("DELETE", `/api/${resource}/${id}`);
  }
};

const startOn = ({ core, env = {}, node }: TargetSettings, dataDir: string): Promise<ServerProcess> =>
  startServer({
    main: SERVER_MAIN,
    prefix: pin(core),
    dataDir,
    env,
    ...(node === undefined ? {} : { node }),
  });

const targetOf = (server: ServerProcess, key: string): Target => ({
  name: "Tollgate",
  port: Number(new URL(server.url).port),
  pids: [server.pid],
  headers: { authorization: `Bearer sk-${key}` },
  stop: async () => {
    await server.stop();
  },
});

/**
 * The gateway in normal use: key, quota, prices, ledger, receipts and log on.
 * @param dataDir a folder to keep; by default a new one that is deleted
 */
export const startTollgate = async (
  settings: TargetSettings,
  dataDir = createDataDir(),
): Promise<TollgateTarget> => {
  const server = await startOn(settings, dataDir);
  const root = await server.signIn();
  await removeEarlier(root);
  await addChannel(root, { name: CHANNEL_NAME, base_url: settings.upstreamUrl, models: CHAT_MODEL });
  const token = await addApiKey(root, { name: TOKEN_NAME, remain_quota: 90_000_000 });
  await root.api("PUT", "/api/user/", { id: 1, quota: QUOTA });
  await root.api("PUT", "/api/token/", { id: token.id, remain_quota: QUOTA });
  const again = async (): Promise<Target> => targetOf(await startOn(settings, dataDir), token.key);
  return { ...targetOf(server, token.key), server, root, again };
};
