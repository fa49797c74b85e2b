import { Server } from "node:net";

/*
 * Loaded before a server that can only listen on every address (`node --import`): it listens on the loopback address
 * instead, and the port is printed as a line "listening on <port>".
 */

const listen = Server.prototype.listen;

Server.prototype.listen = function (this: Server, port: unknown, ...rest: unknown[]): Server {
  const isListening = rest.find((value) => typeof value === "function");
  this.once("listening", () => {
    const address = this.address();
    if (typeof address === "object" && address) process.stdout.write(`\nlistening on ${address.port}\n`);
  });
  return Reflect.apply(listen, this, [port, "127.0.0.1", ...(isListening ? [isListening] : [])]);
};
