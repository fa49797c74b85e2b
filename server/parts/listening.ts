import { rmSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { formatError } from "../locales/format-data-fault";
import {
  makeSocketFolder,
  NO_OPERATOR_SOCKET,
  openOperatorSocket,
  operatorSocketPath,
} from "../operator/operator-socket";
import { reachableAddress } from "../reachable-address";
import type { Closing } from "./closing";
import type { Foundation } from "./foundation";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Connections waiting to be accepted; Node's own 511 would lose some of a thousand simultaneous clients. */
const BACKLOG = 4096;

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, BACKLOG, () => resolve());
  });

const addressOf = (server: Server): string => {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
};

/** Lets the server take requests, where it serves more than the operator. @returns its address; "" where it listens on none. */
export const listenForAll = async (
  { config, course }: Foundation,
  server: Server,
  answer: Answer,
): Promise<string> => {
  server.on("request", answer);
  if (!course.isForEverybody) return "";
  if (!server.listening) await listen(server, config.host, config.port);
  course.address = reachableAddress(server.address() as AddressInfo, networkInterfaces());
  return addressOf(server);
};

/** The operator's socket, which opens last, while requests are checked for it before. */
export class OperatorDoor {
  private socket = NO_OPERATOR_SOCKET;

  /** Whether a request came over it. */
  readonly has = (request: IncomingMessage): boolean => this.socket.has(request);

  /**
   * Takes the operator's calls. A database takes the operator's own process beside the nodes; files have one process.
   * @returns the socket's path; undefined where it takes none.
   */
  async open(
    { config, course, logger }: Foundation,
    answer: Answer,
    closing: Closing,
  ): Promise<string | undefined> {
    if (config.database && course.isForEverybody) return undefined;
    const folder = config.database ? makeSocketFolder() : undefined;
    if (folder !== undefined) closing.add(() => rmSync(folder, { recursive: true, force: true }));
    const path = operatorSocketPath(folder ?? config.dataDir);
    if (path === undefined) return undefined;
    try {
      this.socket = await openOperatorSocket(path, answer);
      closing.add(() => this.socket.close());
    } catch (error) {
      if (!course.isForEverybody) throw error;
      logger.warn({ error: formatError(error) }, "the command tollgate cannot reach this gateway");
    }
    return path;
  }
}
