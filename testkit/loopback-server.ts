import type { AddressInfo, Server } from "node:net";

/**
 * Lets a server listen on a free port of this machine only.
 * @param port 0 for any free one
 * @returns its base address, without a slash at the end.
 */
export const listenOnLoopback = async (server: Server, port = 0): Promise<string> => {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
