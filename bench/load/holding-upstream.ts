import { createServer, type Socket } from "node:net";

/*
 * An upstream that keeps requests with large bodies waiting until HOLD of them have arrived whole (or no more arrive
 * for a while) and then answers all of them, so that the relay in front holds them all at the same time. Small ones are
 * answered immediately. Bodies are counted, not kept. Prints its port and, at each release, the number of held
 * requests.
 */

const HOLD = Number(process.env.HOLD);
const QUIET_MS = 20_000;
const LARGE_BYTES = 16_384;

const answer = JSON.stringify({
  id: "chatcmpl-bench",
  object: "chat.completion",
  created: 1_760_000_000,
  model: "gpt-3.5-turbo",
  choices: [{ index: 0, message: { role: "assistant", content: "at last" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 40_000, completion_tokens: 2, total_tokens: 40_002 },
});
const response = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${answer.length}\r\n\r\n${answer}`;
const CONTENT_LENGTH = /content-length: (\d+)/i;

const held = new Set<Socket>();
let quiet: NodeJS.Timeout | undefined;

const release = (): void => {
  clearTimeout(quiet);
  if (held.size === 0) return;
  process.stdout.write(`${held.size}\n`);
  for (const socket of held) socket.write(response);
  held.clear();
};

const serve = (socket: Socket): void => {
  let head = "";
  let missing = 0;
  let isLarge = false;
  socket.on("data", (data) => {
    if (missing > 0) missing -= data.length;
    else {
      head += data.toString("latin1");
      const headEnd = head.indexOf("\r\n\r\n");
      if (headEnd === -1) return;
      const length = Number(CONTENT_LENGTH.exec(head)?.[1] ?? 0);
      isLarge = length > LARGE_BYTES;
      missing = headEnd + 4 + length - head.length;
      head = "";
    }
    if (missing > 0) return;
    if (!isLarge) {
      socket.write(response);
      return;
    }
    held.add(socket);
    clearTimeout(quiet);
    if (held.size === HOLD) release();
    else quiet = setTimeout(release, QUIET_MS);
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => held.delete(socket));
};

const server = createServer(serve);
server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" && address ? address.port : 0}\n`);
});
