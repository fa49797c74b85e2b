import { connect } from "node:net";

/**
 * Sends the same call several times in one packet, so that all of them are under way before the first is answered.
 * @returns the bodies of the answers.
 */
export const callAtOnce = (
  url: string,
  cookie: string,
  times: number,
  method: string,
  path: string,
  body: unknown,
): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const { host, hostname, port } = new URL(url);
    const text = JSON.stringify(body);
    const call = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
    const socket = connect(Number(port), hostname, () => socket.write(call.repeat(times)));
    let received = "";
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString();
      const bodies = [...received.matchAll(/\r\n\r\n(\{[^\r]*\})/g)].map(([, answer = ""]) => answer);
      if (bodies.length < times) return;
      socket.destroy();
      resolve(bodies);
    });
    socket.on("error", reject);
  });
