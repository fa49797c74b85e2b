/** Advice for the operator when a server does not count, by its error or the connection's. */
const ADVICE: readonly (readonly [said: RegExp, advice: string])[] = [
  [
    /ECONNREFUSED|ENOENT/,
    "nobody listens at the address of REDIS_URL: start the Redis server, or correct the address",
  ],
  [
    /ENOTFOUND|EAI_AGAIN/,
    "the host in REDIS_URL has no address: correct it, or the name service of this machine",
  ],
  [
    /EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|connect timeout/i,
    "the host in REDIS_URL cannot be reached from here: look at its network and firewall",
  ],
  [/EACCES/, "this program may not open the socket that REDIS_URL names: give its user the right"],
  [
    /WRONGPASS|invalid password/i,
    "the server refuses the user or the password in REDIS_URL: correct them, with special characters escaped (%40 for @)",
  ],
  [/NOAUTH/, "the server asks for a password: name it in REDIS_URL (redis://:password@host:port)"],
  [
    /NOPERM/,
    "the user in REDIS_URL may not run scripts on these keys: grant it +@scripting, +@read, +@write, +@connection and the keys tollgate:*",
  ],
  [
    /DB index is out of range/,
    "the server has no database of the number that ends REDIS_URL: name a smaller one",
  ],
  [/READONLY/, "the server is a copy that takes no changes: name the one that it follows in REDIS_URL"],
  [
    /MOVED|CROSSSLOT|CLUSTERDOWN/,
    "the server is a part of a cluster and does not have these keys: name a single server in REDIS_URL",
  ],
  [
    /OOM/,
    "the server has used up its maxmemory: give it more (a few megabytes do), with maxmemory-policy noeviction",
  ],
  [
    /MISCONF/,
    "the server takes no changes because it cannot write to its disk: make room there, or switch its snapshots off",
  ],
  [
    /LOADING|MASTERDOWN|BUSY/,
    "the server is busy starting, following another one or running another program's script: it is asked again by itself",
  ],
  [
    /Command timed out/,
    "the server is connected and does not answer in time: it may be paused or overloaded, or its network loses packets",
  ],
  [
    /certificate|self-signed|SSL|TLS|ERR_TLS/i,
    "no secured connection to the server: use rediss:// for a server with TLS and redis:// for one without; name its authority with NODE_EXTRA_CA_CERTS",
  ],
  [
    /ECONNRESET|EPIPE|Connection is closed|isn't writeable/,
    "the connection to the server has ended: it is made anew by itself once the server is there",
  ],
];

const OTHER = "the server that REDIS_URL names does not count: look at its own log";

const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return "code" in error ? `${String(error.code)} ${error.message}` : error.message;
};

/**
 * Returns the fault of the Redis server, and the remedy.
 * @param error of a command. @param ofConnection the connection's last error, which is more precise after a disconnect.
 */
export const explainRedisFault = (error: unknown, ofConnection: unknown): string => {
  const words = [wordsOf(error), ofConnection === undefined ? "" : wordsOf(ofConnection)];
  // The last row matches the error of every command on a lost connection, whatever the cause.
  const isGone = ADVICE.at(-1)?.[0].test(words[0] ?? "") ?? false;
  const asked = isGone && ofConnection !== undefined ? [...words].reverse() : words;
  for (const said of asked) {
    const found = ADVICE.find(([pattern]) => pattern.test(said));
    if (found) return found[1];
  }
  return OTHER;
};
