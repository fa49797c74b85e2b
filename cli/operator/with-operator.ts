import { existsSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { type Config, readConfig } from "@tollgate/server/config";
import { operatorSocketPath } from "@tollgate/server/operator/operator-socket";
import { DataRefused } from "@tollgate/storage/errors";
import { createOperatorApi, type OperatorApi } from "./operator-api";

/** Whether a gateway takes calls there. A socket left by a killed process refuses them. */
const isListening = (path: string): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(path);
    socket.on("connect", () => {
      socket.destroy();
      done(true);
    });
    socket.on("error", () => done(false));
  });

/** Starts a gateway that serves only this command, until the command ends. */
const withOwnGateway = async <T>(config: Config, act: (api: OperatorApi) => Promise<T>): Promise<T> => {
  const { startProduct } = await import("@tollgate/server/compose");
  const { builtFiles } = await import("@tollgate/server/built-files");
  const quiet = { ...config, leaveDelayMs: 0, logLevel: "error" };
  const product = await startProduct(quiet, builtFiles, { serves: "operator" }).catch((error: unknown) => {
    if (error instanceof DataRefused && error.fault.code === "folder-in-use")
      throw new Error(
        `Another process works with ${config.dataDir} and takes no calls of the command: wait for it, or stop it.`,
      );
    throw error;
  });
  try {
    if (product.operatorPath === undefined)
      throw new Error(
        `The path of ${config.dataDir} is too long for a socket: change into the folder above it.`,
      );
    return await act(createOperatorApi(product.operatorPath));
  } finally {
    await product.stop();
  }
};

/** The socket of the gateway that runs on the data folder; undefined where none does. */
const runningSocket = async (dataDir: string): Promise<string | undefined> => {
  const path = operatorSocketPath(dataDir);
  return path !== undefined && (await isListening(path)) ? path : undefined;
};

/**
 * The same for calls that are pointless when no gateway runs on the data folder: none is started. Nor is one beside a
 * database, which would be migrated to this version's schema.
 */
export const withRunningGateway = async (
  environment: NodeJS.ProcessEnv,
  act: (api: OperatorApi) => Promise<unknown>,
): Promise<void> => {
  const { database, dataDir } = readConfig(environment);
  const path = database ? undefined : await runningSocket(dataDir);
  if (path !== undefined) await act(createOperatorApi(path));
};

/**
 * Calls /api as the local operator: of the gateway that runs on the data folder, or where none does, of one that is started for
 * this alone. With a database (DATABASE_URL) it is always the latter, beside the nodes.
 * @throws Error where there is no data, or another process has it.
 */
export const withOperator = async <T>(
  environment: NodeJS.ProcessEnv,
  act: (api: OperatorApi) => Promise<T>,
): Promise<T> => {
  const config = readConfig(environment);
  if (!config.database) {
    const { dataDir } = config;
    if (!existsSync(join(dataDir, "tollgate.db")))
      throw new Error(`There is no data in ${dataDir}: name the folder with DATA_DIR.`);
    const path = await runningSocket(dataDir);
    if (path !== undefined) return act(createOperatorApi(path));
  }
  return withOwnGateway(config, act);
};
