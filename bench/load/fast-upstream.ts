import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "@tollgate/testkit/certificates";
import { HOSTILE_ANSWERS } from "./hostile-answers";

/*
 * An upstream that costs as little as it can: one of two answers rendered beforehand, a whole JSON answer of about 1 KB,
 * or a stream of 50 events in one burst with the usage at its end; for embeddings two million numbers; and below
 * /hostile/<name> a stream that is dear to read. Over TLS where SECURE is set. Prints the port that it listens on.
 */

const USAGE = { prompt_tokens: 13, completion_tokens: 5, total_tokens: 18 };
const COMMON = { id: "chatcmpl-bench", created: 1_760_000_000, model: "gpt-3.5-turbo" };

const answer = JSON.stringify({
  ...COMMON,
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: "x".repeat(750) }, finish_reason: "stop" }],
  usage: USAGE,
});

const whole = (body: string): Buffer =>
  Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
const json = whole(answer);

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (content: string): object => ({
  ...COMMON,
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
  usage: null,
});
const events = [
  ...Array.from({ length: 50 }, (_, i) => event(chunk(`word ${i} `))),
  event({ ...COMMON, object: "chat.completion.chunk", choices: [], usage: USAGE }),
  "data: [DONE]\n\n",
];
// An HTTP chunk for each event, as servers send them, but all in one burst.
const chunks = events.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join("");
const stream = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
);

const NUMBERS = 2_000_000;
let numbers: Buffer | undefined;

const renderVector = (): Buffer => {
  const embedding = `[${"0.0123456789,".repeat(NUMBERS - 1)}0]`;
  return whole(
    `{"object":"list","data":[{"object":"embedding","index":0,"embedding":${embedding}}],"model":"${COMMON.model}","usage":{"prompt_tokens":5,"total_tokens":5}}`,
  );
};

/** Made on first use: only one part of the bench needs it. */
const vector = (): Buffer => {
  numbers ??= renderVector();
  return numbers;
};

const HOSTILE_PATH = /^POST \/hostile\/([\w-]+)\//;
let hostile: { name: string; answer: Buffer } | undefined;

/** Only the last one is kept, because of its size in memory. */
const hostileAnswer = (name: string): Buffer => {
  if (hostile?.name !== name) {
    const body = HOSTILE_ANSWERS[name]?.() ?? "";
    const head = `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n`;
    hostile = { name, answer: Buffer.from(head + body) };
  }
  return hostile.answer;
};

const CONTENT_LENGTH = /content-length: (\d+)/i;

/** One connection: finds the end of each request by its announced length. */
const serve = (socket: Socket): void => {
  let pending = "";
  socket.setNoDelay(true);
  socket.on("data", (data) => {
    pending += data.toString("latin1");
    for (;;) {
      const headEnd = pending.indexOf("\r\n\r\n");
      if (headEnd === -1) return;
      const length = Number(CONTENT_LENGTH.exec(pending.slice(0, headEnd))?.[1] ?? 0);
      const end = headEnd + 4 + length;
      if (pending.length < end) return;
      const name = HOSTILE_PATH.exec(pending)?.[1];
      if (name !== undefined) socket.write(hostileAnswer(name));
      else if (pending.startsWith("POST /v1/embeddings ")) socket.write(vector());
      else socket.write(pending.slice(headEnd, end).includes('"stream":true') ? stream : json);
      pending = pending.slice(end);
    }
  });
  socket.on("error", () => socket.destroy());
};

const server =
  process.env.SECURE === undefined
    ? createServer(serve)
    : createTlsServer({ key: TEST_CERTIFICATE_KEY, cert: TEST_CERTIFICATE }, serve);
server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" && address ? address.port : 0}\n`);
});
