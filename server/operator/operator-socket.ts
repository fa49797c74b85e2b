import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";

/*
 * Lets the command `tollgate` call a gateway on the same machine: HTTP over a Unix domain socket in the data folder,
 * which only the folder's owner may enter. A caller there can read the data itself, and counts as root.
 */

const NAME = "operator.sock";

/** Maximum length of a socket's path on Linux and macOS, in bytes, with the NUL at its end (sys/un.h: 108 and 104). */
const MAX_PATH_BYTES = 103;

/** Names the user that the operator acts for, by number; root without it. Read on the operator's socket alone. */
export const ACTS_FOR_HEADER = "x-tollgate-user";

/** @returns undefined where no path to it is short enough. */
export const operatorSocketPath = (folder: string): string | undefined => {
  const absolute = resolve(folder, NAME);
  return [absolute, relative(process.cwd(), absolute)].find(
    (path) => Buffer.byteLength(path) <= MAX_PATH_BYTES,
  );
};

/** A folder for the socket of a process that has none for its data. */
export const makeSocketFolder = (): string => mkdtempSync(join(tmpdir(), "tollgate-"));

export interface OperatorSocket {
  /** Whether a request came over this socket. */
  has(request: IncomingMessage): boolean;
  close(): Promise<void>;
}

/** Used without a socket. */
export const NO_OPERATOR_SOCKET: OperatorSocket = { has: () => false, close: async () => {} };

/**
 * Listens for the operator's calls. The owner of the data folder calls it: a socket that another process left is replaced.
 * @throws Error where the file system has no sockets.
 */
export const openOperatorSocket = async (
  path: string,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<OperatorSocket> => {
  const sockets = new WeakSet<Socket>();
  const server = createServer(answer);
  server.on("connection", (socket) => sockets.add(socket));
  rmSync(path, { force: true });
  await new Promise<void>((done, refuse) => {
    server.once("error", refuse);
    // The folder keeps others out already; the mode does where it belongs to another person.
    const before = process.umask(0o177);
    try {
      server.listen(path, done);
    } finally {
      process.umask(before);
    }
  });
  chmodSync(path, 0o600);
  return {
    has: ({ socket }) => sockets.has(socket),
    close: () =>
      new Promise((done) => {
        // Node takes the file away.
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
};
