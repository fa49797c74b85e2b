import type { RequestListener } from "node:http";
import { join } from "node:path";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { checkFolderIsMoved, checkFolderMarks } from "@tollgate/storage/promote/folder-marks";
import { createSecrets } from "@tollgate/storage/secrets";
import { pino } from "pino";
import type { BuiltFiles } from "../built-files";
import type { Config } from "../config";
import type { Engine, EngineSettings } from "../engines/engine";
import { openSqliteEngine } from "../engines/sqlite-engine";
import { formatError } from "../locales/format-data-fault";
import { ensureRootUser } from "../management-api/sign-in/prepare-root";
import { loadMasterKey } from "../master-key";
import { makeFolderPrivate } from "../private-folder";
import { startNodeReporter } from "../state/node-reporter";
import { Options } from "../state/options";
import { createTurnClock } from "../turn-clock";
import type { Closing } from "./closing";

/** The course of this process, which later parts report. */
export interface Course {
  /** Every caller, or the local operator alone. */
  readonly isForEverybody: boolean;
  /** Reports that it is not ready, and still serves requests: a balancer needs a moment to notice. */
  isLeaving: boolean;
  isStopping: boolean;
  /** Answers in its place from the stop on; the address and its connections then stay. */
  standIn: RequestListener | undefined;
  /** Address that it listens on. */
  address: string | undefined;
  requests: { readonly begun: number; readonly active: number } | undefined;
  redisConnections: (() => number | undefined) | undefined;
}

/** Opens the storage: a database, or files of this process. */
const openEngine = async (
  { database, dataDir }: Config,
  { storageWorker, postgresLogWorker, bookingsWorker }: BuiltFiles,
  settings: EngineSettings,
): Promise<Engine> => {
  const mainPath = join(dataDir, "tollgate.db");
  if (database === undefined) {
    checkFolderMarks(mainPath);
    return openSqliteEngine(dataDir, storageWorker, settings);
  }
  checkFolderIsMoved(mainPath);
  // A process with files loads no driver of a database server.
  const { openPostgresEngine } = await import("../engines/postgres-engine");
  return openPostgresEngine(database, { log: postgresLogWorker, bookings: bookingsWorker }, settings);
};

const openLogger = ({ logLevel, database, dataDir }: Config) => {
  const logger = pino({ level: logLevel }, pino.destination({ dest: 2, sync: true }));
  const notOwned = database === undefined ? makeFolderPrivate(dataDir) : [];
  if (notOwned.length > 0)
    logger.warn({ paths: notOwned }, "these belong to another user, so that others may be able to read them");
  return logger;
};

/** The process log, the storage, the clock and the options: everything else is built on them. */
export const openFoundation = async (config: Config, files: BuiltFiles, course: Course, closing: Closing) => {
  const logger = openLogger(config);
  const masterKey = loadMasterKey(config.dataDir, config.masterKey);
  const reportError = (error: Error): void => logger.error({ error: formatError(error) }, "storing failed");
  const reporter = startNodeReporter({
    name: config.nodeName,
    startTime: toUnixSeconds(Date.now()),
    address: () => course.address,
    isLeaving: () => course.isLeaving,
    requests: () => course.requests,
    redisConnections: () => course.redisConnections?.(),
  });
  const engine = await openEngine(config, files, {
    masterKey,
    about: reporter.report,
    reportError,
    onMove: (move) => logger.debug(move, "a balance moved"),
    onBroken(error) {
      logger.fatal(
        { error: formatError(error) },
        "a thread has ended by an error, so that this process ends",
      );
      process.exit(1);
    },
  });
  const { stores: storage, nodeRank } = engine;
  closing.add(() => storage.close());
  closing.add(() => reporter.stop());
  const nowMs = createTurnClock();
  const now = () => toUnixSeconds(nowMs());
  await ensureRootUser(storage, now());
  return {
    config,
    files,
    course,
    logger,
    reportError,
    reporter,
    engine,
    storage,
    secrets: createSecrets(masterKey),
    options: await Options.load(storage.read, storage.write, now),
    nowMs,
    now,
    /** Number of nodes that use the data. */
    liveNodes: (): number => nodeRank?.().nodes ?? 1,
    /** Whether this node runs the jobs that one node runs for all. */
    isFirstNode: (): boolean => (nodeRank?.().rank ?? 0) === 0,
  };
};

export type Foundation = Awaited<ReturnType<typeof openFoundation>>;
