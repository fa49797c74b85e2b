import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectRedis } from "./connect-redis";
import { explainRedisFault } from "./explain-redis-fault";

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });

/** The error of every command on a lost connection. */
const GONE = new Error("Stream isn't writeable and enableOfflineQueue options is false");

describe("the description of a Redis server that does not count", () => {
  it.each([
    [GONE, coded("ECONNREFUSED", "connect ECONNREFUSED 10.0.0.1:6379"), "nobody listens"],
    [GONE, coded("ENOTFOUND", "getaddrinfo ENOTFOUND cache"), "has no address"],
    [GONE, coded("ETIMEDOUT", "connect ETIMEDOUT"), "cannot be reached"],
    [GONE, new Error("WRONGPASS invalid username-password pair or user is disabled."), "the password"],
    [
      GONE,
      new Error("NOAUTH HELLO must be called with the client already authenticated"),
      "asks for a password",
    ],
    [GONE, coded("DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed certificate"), "NODE_EXTRA_CA_CERTS"],
    [GONE, coded("EPROTO", "write EPROTO: SSL routines:wrong version number"), "rediss://"],
    [GONE, undefined, "has ended"],
    [new Error("Connection is closed."), undefined, "has ended"],
    [new Error("Command timed out"), undefined, "does not answer in time"],
    [new Error("OOM command not allowed when used memory > 'maxmemory'. script: a"), undefined, "maxmemory"],
    [new Error("READONLY You can't write against a read only replica. script: a"), undefined, "a copy"],
    [new Error("MOVED 866 10.0.0.2:6379"), undefined, "cluster"],
    [new Error("NOPERM User app has no permissions to run the 'evalsha' command"), undefined, "grant it"],
    [new Error("MISCONF Redis is configured to save RDB snapshots"), undefined, "write to its disk"],
    [new Error("LOADING Redis is loading the dataset in memory"), undefined, "by itself"],
    [new Error("ERR unknown command"), undefined, "look at its own log"],
    ["a text", undefined, "look at its own log"],
  ])("%s, %s", (error, ofConnection, words) => {
    expect(explainRedisFault(error, ofConnection)).toContain(words);
  });

  it("reports a command's error when the connection is there, whatever came before", () => {
    const before = coded("ECONNREFUSED", "connect ECONNREFUSED 10.0.0.1:6379");
    expect(explainRedisFault(new Error("Command timed out"), before)).toContain("does not answer in time");
  });

  it("knows a server that speaks no TLS", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.end("-ERR unknown command\r\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
    });
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const met = await new Promise<Error>((resolve) => {
      const redis = connectRedis({ host: "127.0.0.1", port, tls: {} }, (error) => {
        redis.disconnect();
        resolve(error);
      });
    });
    expect(explainRedisFault(GONE, met)).toContain("use rediss:// for a server with TLS");
  });
});
