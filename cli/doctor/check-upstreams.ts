import { connect as connectPlain } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Channel } from "@tollgate/contract/api/channels";
import { CHANNEL_ENABLED } from "@tollgate/contract/values/statuses";
import { findVendor } from "@tollgate/vendors/vendors";
import type { Remark } from "./remark";

const TIMEOUT_MS = 5000;

/** How many are connected to at a time: of hundreds at once some would look unreachable. */
const AT_ONCE = 16;

type Reach = (address: URL) => Promise<string | undefined>;

/** Connects to a server, over TLS where its address says so. @returns why that failed; undefined when it did not. */
export const reach: Reach = ({ protocol, hostname, port }) =>
  new Promise((done) => {
    const isTls = protocol === "https:";
    const host = hostname.replace(/^\[|\]$/g, "");
    const place = { host, port: Number(port) || (isTls ? 443 : 80) };
    const socket = isTls
      ? connectTls({ ...place, ...(/[a-z]/i.test(host) && !host.includes(":") ? { servername: host } : {}) })
      : connectPlain(place);
    const end = (reason: string | undefined): void => {
      socket.destroy();
      done(reason);
    };
    socket.setTimeout(TIMEOUT_MS, () => end(`no answer in ${TIMEOUT_MS / 1000} s`));
    socket.once(isTls ? "secureConnect" : "connect", () => end(undefined));
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });

/** Where a channel's connections go: through its proxy, or to its own address. undefined where only its key says it. */
const addressOf = ({ type, baseUrl, proxy }: Channel): URL | undefined => {
  const text = proxy || baseUrl || findVendor(type)?.baseUrl || "";
  return URL.canParse(text) && !text.includes("{") ? new URL(text) : undefined;
};

/**
 * Checks that the upstreams of enabled channels take connections. It sends no request: `tollgate channel test` does,
 * which costs.
 * @param connect reaches an address.
 */
export const checkUpstreams = async (
  channels: readonly Channel[],
  connect: Reach = reach,
): Promise<{ asked: number; remarks: Remark[] }> => {
  const byOrigin = new Map<string, { address: URL; ids: number[] }>();
  for (const channel of channels) {
    const address = channel.status === CHANNEL_ENABLED ? addressOf(channel) : undefined;
    if (!address) continue;
    const known = byOrigin.get(address.origin) ?? { address, ids: [] };
    known.ids.push(channel.id);
    byOrigin.set(address.origin, known);
  }
  const remarks: Remark[] = [];
  const left = byOrigin.values();
  const askTheRest = async (): Promise<void> => {
    for (const { address, ids } of left) {
      const reason = await connect(address);
      if (reason === undefined) continue;
      remarks.push({
        isFault: true,
        text: `${address.origin} cannot be reached (${reason}); channels ${ids.join(", ")} go there.`,
      });
    }
  };
  // One after another would be a minute where a dozen do not answer.
  await Promise.all(Array.from({ length: AT_ONCE }, askTheRest));
  return { asked: byOrigin.size, remarks };
};
