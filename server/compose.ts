import type { RequestListener, Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { BuiltFiles } from "./built-files";
import type { Config } from "./config";
import { Closing } from "./parts/closing";
import { type Course, openFoundation } from "./parts/foundation";
import { listJobs } from "./parts/jobs";
import { listenForAll, OperatorDoor } from "./parts/listening";
import { openManagement } from "./parts/management";
import { openPeople } from "./parts/people";
import { openRelaying } from "./parts/relaying";
import { openSales } from "./parts/sales";
import { openServing } from "./parts/serving";
import { openUpstreams } from "./parts/upstreams";

/** The callers a gateway is started for. */
export interface Start {
  /**
   * every caller, by default; or only the local operator for one command: then it listens on no address, and runs no
   * jobs.
   */
  serves?: "everybody" | "operator";
  /** A listening server whose requests it takes over. */
  server?: Server;
  /** Called right before it takes requests, which something else may answer until then. */
  beforeListening?: () => Promise<void>;
}

export interface Product {
  /** The address that it listens on; "" where it serves the operator alone. */
  url: string;
  /** Socket path for the operator's calls; undefined to accept none. */
  operatorPath: string | undefined;
  /** Sets root's first password; undefined when it has one. */
  setupCode: string | undefined;
  /** Server that takes its connections. */
  server: Server;
  /**
   * Takes no new requests, lets the running ones end, stores everything, and ends.
   * @param standIn answers from then on; the address and its connections then stay.
   */
  stop(standIn?: RequestListener): Promise<void>;
}

/** Puts the product together from its parts and starts it. A part closes behind all parts that were opened after it. */
export const startProduct = async (
  config: Config,
  files: BuiltFiles,
  { serves = "everybody", server: given, beforeListening }: Start = {},
): Promise<Product> => {
  const course: Course = {
    isForEverybody: serves === "everybody",
    isLeaving: false,
    isStopping: false,
    standIn: undefined,
    address: undefined,
    requests: undefined,
    redisConnections: undefined,
  };
  const closing = new Closing();
  const foundation = await openFoundation(config, files, course, closing);
  const people = await openPeople(foundation, closing);
  const relaying = await openRelaying(foundation, people, closing);
  const upstreams = openUpstreams(foundation, people, relaying, closing);
  const sales = openSales(foundation, people, closing);
  const door = new OperatorDoor();
  const { services, setupCode } = await openManagement(
    { foundation, people, relaying, upstreams, sales },
    door.has,
  );
  const { server, answer } = await openServing({ foundation, people, relaying, services }, given, closing);
  await relaying.charging.start();
  await beforeListening?.();
  const url = await listenForAll(foundation, server, answer);
  const operatorPath = await door.open(foundation, answer, closing);
  if (course.isForEverybody) people.jobs.start(listJobs(foundation, people, relaying, upstreams, sales));
  return {
    url,
    server,
    operatorPath,
    setupCode,
    async stop(standIn) {
      course.standIn = standIn;
      course.isLeaving = standIn === undefined;
      if (course.isLeaving && config.leaveDelayMs > 0) await wait(config.leaveDelayMs);
      course.isStopping = true;
      await closing.close();
    },
  };
};
